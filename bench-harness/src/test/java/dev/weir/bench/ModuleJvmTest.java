package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleJvmTest {
  @TempDir private Path directory;

  /** Prints the heap in MiB and its arguments, and ends with 7. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) {
      long heapMiB = Runtime.getRuntime().maxMemory() >> 20;
      System.out.println(heapMiB + " MiB, " + String.join(" ", arguments));
      System.exit(7);
    }
  }

  private Path jar(String flags) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    attributes.putValue(ModuleJvm.FLAGS, flags);
    Path jar = directory.resolve("some.jar");
    String entry = Main.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream code = Main.class.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      code.transferTo(out);
    }
    return jar;
  }

  @Test
  void isMissingIfTheJarNamesFlagsAndThisJvmHasNone() throws IOException {
    ModuleJvm named = ModuleJvm.of(jar("-Xmx64m  -XX:+UseSerialGC"));
    assertThat(named.isMissing(List.of())).isTrue();
    assertThat(named.isMissing(List.of("-Dbench.forks=1"))).isTrue();
    assertThat(named.isMissing(List.of("-Xmx1g"))).as("the user's own flags count").isFalse();
    assertThat(ModuleJvm.of(jar("")).isMissing(List.of())).isFalse();
    assertThat(ModuleJvm.of(directory).isMissing(List.of())).isFalse();
  }

  @Test
  @Tag("slow")
  void runsTheJarWithItsFlagsAndPassesItsOutputAndExitCodeOn() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    // A serial collector keeps a part of the heap free, so the maximum is a little less.
    int exitCode =
        ModuleJvm.of(jar("-Xmx64m -XX:+UseSerialGC")).run(List.of("--scenario", "rpc"), out);
    assertThat(exitCode).isEqualTo(7);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("In a JVM with -Xmx64m -XX:+UseSerialGC:")
        .containsPattern("\\b6[0-4] MiB, --scenario rpc");
  }
}
