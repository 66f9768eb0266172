package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The public names of a module's API, compared with those that were written down last. The API is
 * the root package, and the types of other packages that the test of the module names. The names
 * are in {@code src/test/api.txt} of the module: one line for each class and each member that users
 * can call or override. A line that is there and not in the code is an incompatible change, and the
 * check fails. New names are allowed.
 *
 * <p>With {@code -Dweir.api.write=true} the file is written instead, once for each release.
 */
public final class PublicApi {
  private static final String WRITE = "weir.api.write";

  private final Path file;
  private final Set<String> lines = new TreeSet<>();

  private PublicApi(Path file) {
    this.file = file;
  }

  /**
   * Reads the public names.
   *
   * @param anchor any class of the root package
   */
  public static PublicApi of(Class<?> anchor) {
    try {
      Path classes = Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
      PublicApi api = new PublicApi(classes.resolve("../../src/test/api.txt").normalize());
      Path root = classes.resolve(anchor.getPackageName().replace('.', '/'));
      try (Stream<Path> files = Files.list(root)) {
        files
            .map(each -> each.getFileName().toString())
            .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .forEach(name -> api.add(anchor, name));
      }
      return api;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds types of other packages of the module, with the public types in them. */
  public PublicApi with(Class<?>... types) {
    for (Class<?> type : types) {
      add(type);
      Arrays.stream(type.getDeclaredClasses()).filter(PublicApi::isOpen).forEach(this::with);
    }
    return this;
  }

  private void add(Class<?> anchor, String name) {
    try {
      Class<?> type =
          Class.forName(anchor.getPackageName() + "." + name, false, anchor.getClassLoader());
      if (isOpen(type)) {
        add(type);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** True if users can name the class, with all classes around it. */
  private static boolean isOpen(Class<?> type) {
    Class<?> around = type.getEnclosingClass();
    return isOpen(type.getModifiers())
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && (around == null || isOpen(around));
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private void add(Class<?> type) {
    StringBuilder head = new StringBuilder(type.toGenericString());
    if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) {
      head.append(" extends ").append(type.getGenericSuperclass().getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces())
        .map(each -> " implements " + each.getTypeName())
        .sorted()
        .forEach(head::append);
    lines.add(head.toString());
    Arrays.stream(type.getDeclaredFields()).filter(this::counts).forEach(this::add);
    Arrays.stream(type.getDeclaredConstructors()).filter(this::counts).forEach(this::add);
    Arrays.stream(type.getDeclaredMethods()).filter(this::counts).forEach(this::add);
  }

  private boolean counts(Member member) {
    boolean callable =
        Modifier.isPublic(member.getModifiers())
            || Modifier.isProtected(member.getModifiers())
                && !Modifier.isFinal(member.getDeclaringClass().getModifiers());
    return callable && !member.isSynthetic();
  }

  private void add(Field field) {
    lines.add(field.toGenericString());
  }

  private void add(Constructor<?> constructor) {
    lines.add(constructor.toGenericString());
  }

  private void add(Method method) {
    // To lock, or to run natively, is no part of what a caller sees.
    lines.add(method.toGenericString().replace(" synchronized", "").replace(" native", ""));
  }

  /** Fails if a public name that was written down is gone or has changed. */
  public void check() {
    try {
      if (Boolean.getBoolean(WRITE)) {
        Files.write(file, lines);
      }
      List<String> gone = missing(Files.readAllLines(file), lines);
      if (!gone.isEmpty()) {
        throw new AssertionError(
            "public names of "
                + file
                + " are gone or have changed; keep them, deprecated. Where that is not possible,"
                + " name them in CHANGELOG.md, and write the file by -D"
                + WRITE
                + "=true:\n  "
                + String.join("\n  ", gone));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> missing(Collection<String> released, Set<String> now) {
    return released.stream().filter(line -> !now.contains(line)).toList();
  }
}
