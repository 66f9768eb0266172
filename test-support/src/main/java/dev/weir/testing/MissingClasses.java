package dev.weir.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.List;

/**
 * Runs code where some classes are missing, as they may be in another version of a library. The
 * code is loaded anew, so that it links with what is there. Any thread.
 */
public final class MissingClasses extends ClassLoader {
  private final List<String> anew;
  private final List<String> missing;

  /**
   * Both lists have beginnings of class names.
   *
   * @param anew of the classes that are loaded anew: those that name a missing one, and those that
   *     name these
   * @param missing of the classes that are not found
   */
  public MissingClasses(List<String> anew, List<String> missing) {
    super(MissingClasses.class.getClassLoader());
    this.anew = List.copyOf(anew);
    this.missing = List.copyOf(missing);
  }

  /**
   * Makes an object of a class that is loaded anew. What it gets and gives must be of classes that
   * are not, such as those of the JDK.
   *
   * @param task has a constructor without parameters
   * @param <T> an interface that is not loaded anew
   */
  @SuppressWarnings("unchecked")
  public <T> T make(Class<? extends T> task) {
    try {
      Constructor<?> constructor = loadClass(task.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (T) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("cannot make " + task.getName(), e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (missing.stream().anyMatch(name::startsWith)) {
      throw new ClassNotFoundException(name);
    }
    if (anew.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
