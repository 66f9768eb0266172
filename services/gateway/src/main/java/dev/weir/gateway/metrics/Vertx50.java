package dev.weir.gateway.metrics;

/**
 * Makes the parts that fit Vert.x 5.0 and no other. They are found by name, because they may not
 * link, and are not there if this was built with another Vert.x.
 */
public final class Vertx50 {
  private static final String PACKAGE = "dev.weir.gateway.vertx50.";

  private Vertx50() {}

  /**
   * @param name of a class with one public constructor, without its package
   * @throws LinkageError if the class does not go with this Vert.x
   */
  public static <T> T make(Class<T> type, String name, Object... arguments) {
    try {
      Class<?> part = Class.forName(PACKAGE + name);
      return type.cast(part.getConstructors()[0].newInstance(arguments));
    } catch (ReflectiveOperationException e) {
      throw new NoClassDefFoundError(PACKAGE + name);
    }
  }
}
