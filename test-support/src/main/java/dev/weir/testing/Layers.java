package dev.weir.testing;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The layers of a module, checked against its compiled classes and its sources. Each module states
 * its layers in one test:
 *
 * <pre>{@code
 * class LayersTest {
 *   @Test
 *   void dependenciesPointDown() {
 *     Layers.entry(QueueStore.class, QueueDirectory.class) // root package, top layer
 *         .layer("tool")                                   // then the packages, from top to bottom
 *         .layer("offline")
 *         .layer("store", "je")                            // side by side: neither names the other
 *         .layer("line")
 *         .library("com.sleepycat", "je")                  // only dev.weir.queue.je names it
 *         .check();
 *   }
 * }
 * }</pre>
 *
 * <p>The root package is the package of the first entry class. Its other classes are the bottom
 * layer, the vocabulary: no layer of their own has to be stated. Package names are given relative
 * to the root package; a layer does not include the packages below its own, each is stated.
 *
 * <p>{@link #check} fails on
 *
 * <ul>
 *   <li>a class that names a class of a higher layer, or of another package of its own layer;
 *   <li>a package that is in no layer, or a stated package without classes;
 *   <li>a package with more than {@value #MAX_CLASSES} top-level classes;
 *   <li>a source file with more than {@value #MAX_LINES} lines;
 *   <li>a package without package-info.java;
 *   <li>a class that names a library outside of the packages given for it. Berkeley DB JE,
 *       Hazelcast and what is inside Vert.x are forbidden everywhere until {@link #library} or
 *       {@link #vertxInternals} allows them.
 * </ul>
 *
 * <p>Only classes whose source is in src/main/java are checked; generated classes are free. Byte
 * code is what is read, so neither a link in a javadoc nor an inlined constant counts as a name.
 */
public final class Layers {
  public static final int MAX_CLASSES = 40;
  public static final int MAX_LINES = 400;

  private static final List<String> VERTX_INTERNALS =
      List.of(
          "io.vertx.core.internal",
          "io.vertx.core.impl",
          "io.vertx.core.buffer.impl",
          "io.vertx.core.eventbus.impl",
          "io.vertx.core.http.impl",
          "io.vertx.core.net.impl",
          "io.vertx.ext.web.impl");

  private static final String PACKAGE_INFO = "package-info";

  private final String root;
  private final Path classes;
  private final Path sources;
  private final Set<String> entry;

  /** Packages of programs, relative to the root; they use the API from outside. */
  private final Set<String> programs = new HashSet<>();

  /** Packages, relative to the root, from the top layer to the bottom one. */
  private final List<Set<String>> layers = new ArrayList<>();

  /** Prefix of a library's packages, and the packages that may name them, relative to the root. */
  private final Map<String, Set<String>> libraries = new LinkedHashMap<>();

  Layers(String root, Set<String> entry, Path classes, Path sources) {
    this.root = root;
    this.entry = entry;
    this.classes = classes;
    this.sources = sources;
    library("com.sleepycat");
    library("com.hazelcast");
    vertxInternals();
  }

  /**
   * Starts the statement of a module's layers with its entry classes: those classes of the root
   * package that construct the others. They may name every class, and no other layer names them.
   *
   * @param first a class of the module's main code; its package is the root package
   * @param others more entry classes of the same package
   */
  public static Layers entry(Class<?> first, Class<?>... others) {
    Path classes;
    try {
      classes = Path.of(first.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    Set<String> entry =
        Stream.concat(Stream.of(first), Stream.of(others))
            .map(Class::getName)
            .collect(Collectors.toSet());
    Path sources = classes.resolve("../../src/main/java").normalize();
    return new Layers(first.getPackageName(), entry, classes, sources);
  }

  /**
   * Adds a layer below those stated so far.
   *
   * @param packages names relative to the root package; packages of one layer do not name each
   *     other
   */
  public Layers layer(String... packages) {
    layers.add(Set.of(packages));
    return this;
  }

  /**
   * Adds packages above the entry classes: command lines and other programs, which use the API as
   * users do. They may name every class but each other's, and no layer names them.
   *
   * @param packages names relative to the root package
   */
  public Layers program(String... packages) {
    programs.addAll(List.of(packages));
    return this;
  }

  /**
   * Allows a library in some packages and forbids it in all others of the module.
   *
   * @param prefix of the library's package names, without a dot at its end
   * @param packages names relative to the root package; an empty name is the root package
   */
  public Layers library(String prefix, String... packages) {
    libraries.put(prefix, Set.of(packages));
    return this;
  }

  /**
   * Allows what is not public API of Vert.x in some packages; elsewhere it is forbidden.
   *
   * @param packages as for {@link #library}
   */
  public Layers vertxInternals(String... packages) {
    VERTX_INTERNALS.forEach(prefix -> library(prefix, packages));
    return this;
  }

  /**
   * Checks the module.
   *
   * @throws AssertionError with one line for each finding
   */
  public void check() {
    Set<String> findings = new TreeSet<>();
    List<Path> files = sourceFiles();
    Set<JavaClass> own = ownClasses(files);
    checkFiles(files, findings);
    checkPackages(own, findings);
    for (JavaClass from : own) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        checkLibraries(from, to, findings);
        if (own.contains(to)) {
          checkArrow(from, to, findings);
        }
      }
    }
    if (!findings.isEmpty()) {
      throw new AssertionError(
          "layers of "
              + root
              + " have "
              + findings.size()
              + " findings:\n  "
              + String.join("\n  ", findings));
    }
  }

  private void checkFiles(List<Path> files, Set<String> findings) {
    for (Path file : files) {
      long lines = lines(file);
      if (lines > MAX_LINES) {
        findings.add("file " + relative(file) + " has " + lines + " lines, more than " + MAX_LINES);
      }
      if (!Files.exists(file.resolveSibling(PACKAGE_INFO + ".java"))) {
        findings.add("package " + display(packageOf(file)) + " has no package-info.java");
      }
    }
  }

  private void checkPackages(Set<JavaClass> own, Set<String> findings) {
    Map<String, Long> sizes =
        own.stream()
            .filter(c -> !c.getSimpleName().equals(PACKAGE_INFO))
            .filter(c -> c.getName().equals(topLevel(c)))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
    sizes.forEach(
        (name, size) -> {
          if (!name.equals(root) && !stated().contains(relative(name))) {
            findings.add("package " + relative(name) + " is in no layer");
          }
          if (size > MAX_CLASSES) {
            findings.add(
                "package "
                    + display(relative(name))
                    + " has "
                    + size
                    + " classes, more than "
                    + MAX_CLASSES);
          }
        });
    for (String name : stated()) {
      if (!sizes.containsKey(root + "." + name)) {
        findings.add("package " + name + " is stated and has no classes");
      }
    }
    for (String name : entry) {
      if (own.stream().noneMatch(c -> c.getName().equals(name))) {
        findings.add("entry class " + name + " is not in the module's sources");
      }
    }
  }

  /** All packages of the statement, relative to the root. */
  private Set<String> stated() {
    return Stream.concat(programs.stream(), layers.stream().flatMap(Collection::stream))
        .collect(Collectors.toSet());
  }

  private void checkLibraries(JavaClass from, JavaClass to, Set<String> findings) {
    libraries.forEach(
        (prefix, packages) -> {
          if (to.getName().startsWith(prefix + ".")
              && !packages.contains(relative(from.getPackageName()))) {
            findings.add("library " + prefix + " is named by " + relative(topLevel(from)));
          }
        });
  }

  private void checkArrow(JavaClass from, JavaClass to, Set<String> findings) {
    int fromLayer = layerOf(from);
    int toLayer = layerOf(to);
    boolean samePackage = from.getPackageName().equals(to.getPackageName());
    boolean wrong = toLayer < fromLayer || toLayer == fromLayer && !samePackage;
    // A package in no layer is a finding of its own.
    if (wrong && fromLayer >= 0 && toLayer >= 0) {
      findings.add("arrow " + relative(topLevel(from)) + " -> " + relative(topLevel(to)));
    }
  }

  /** Returns 0 for programs, 1 for the entry, then the layers, then the vocabulary; -1 for none. */
  private int layerOf(JavaClass type) {
    if (type.getPackageName().equals(root)) {
      return entry.contains(topLevel(type)) ? 1 : layers.size() + 2;
    }
    String name = relative(type.getPackageName());
    if (programs.contains(name)) {
      return 0;
    }
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).contains(name)) {
        return i + 2;
      }
    }
    return -1;
  }

  private Set<JavaClass> ownClasses(List<Path> files) {
    Set<Path> sourceFiles = Set.copyOf(files);
    Function<JavaClass, Path> sourceOf =
        type ->
            sources
                .resolve(type.getPackageName().replace('.', '/'))
                .resolve(type.getSource().flatMap(s -> s.getFileName()).orElse("none"));
    // What other jars hold need not be read to know that it is named.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .importPath(classes).stream()
            .filter(type -> sourceFiles.contains(sourceOf.apply(type)))
            .collect(Collectors.toSet());
  }

  private List<Path> sourceFiles() {
    try (Stream<Path> walk = Files.walk(sources)) {
      return walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String topLevel(JavaClass type) {
    int inner = type.getName().indexOf('$');
    return inner < 0 ? type.getName() : type.getName().substring(0, inner);
  }

  private String packageOf(Path file) {
    return relative(sources.relativize(file.getParent()).toString().replace('/', '.'));
  }

  private String relative(Path file) {
    return sources.relativize(file).toString().replaceFirst(root.replace('.', '/') + "/", "");
  }

  private static String display(String relative) {
    return relative.isEmpty() ? "(root)" : relative;
  }

  /** A name without the root package; the root package itself is empty. */
  private String relative(String name) {
    if (name.equals(root)) {
      return "";
    }
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : name;
  }
}
