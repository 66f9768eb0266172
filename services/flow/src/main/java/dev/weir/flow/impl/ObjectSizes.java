package dev.weir.flow.impl;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Estimates what an object of any class holds of the heap, with all that its fields lead to. Each
 * object counts once. Objects of the JDK that are no arrays, texts or collections count as small,
 * and so do those of Vert.x and Netty, which a body shares with others.
 *
 * <p>For bodies that nothing else can size, and that wait: it looks at each object by reflection.
 */
final class ObjectSizes {
  /** More than any limit, for an object that cannot be looked through. */
  static final long UNKNOWN = Long.MAX_VALUE / 2;

  private static final List<String> SHARED = List.of("io.vertx.", "io.netty.");

  private final long limit;
  private final Map<Class<?>, List<Field>> references = new HashMap<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> left = new ArrayDeque<>();
  private long bytes;

  private ObjectSizes(long limit) {
    this.limit = limit;
  }

  /**
   * The bytes that an object holds, or {@link #UNKNOWN}.
   *
   * @param limit counting ends above it
   */
  static long of(Object object, long limit) {
    if (isSmall(object)) {
      return BodySizes.OBJECT_BYTES;
    }
    ObjectSizes walk = new ObjectSizes(limit);
    try {
      walk.add(object);
      while (!walk.left.isEmpty() && walk.bytes <= limit) {
        walk.look(walk.left.poll());
      }
      return walk.bytes;
    } catch (RuntimeException | IllegalAccessException e) {
      // A class that is not open to others, or a collection that its owner changes just now.
      return UNKNOWN;
    }
  }

  private void add(Object object) {
    if (object == null || bytes > limit || !seen.add(object)) {
      return;
    }
    long plain = BodySizes.plain(object, limit);
    bytes += Math.max(BodySizes.OBJECT_BYTES, plain);
    if (plain < 0 && !isSmall(object)) {
      left.add(object);
    }
  }

  /** A constant or a value of the JDK, such as an Instant. */
  private static boolean isSmall(Object object) {
    return object instanceof Enum
        || isOfJdk(object.getClass())
            && !object.getClass().isArray()
            && !(object instanceof Collection)
            && !(object instanceof Map)
            && !(object instanceof Optional)
            && !(object instanceof AtomicReference);
  }

  private void look(Object object) throws IllegalAccessException {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      lookIntoArray(object, type.getComponentType());
      return;
    }
    // Also of a class that extends a collection of the JDK.
    lookIntoJdk(object);
    if (SHARED.stream().noneMatch(type.getName()::startsWith)) {
      for (Field field : references.computeIfAbsent(type, ObjectSizes::references)) {
        bytes += Long.BYTES;
        add(field.get(object));
      }
    }
  }

  private void lookIntoArray(Object array, Class<?> elements) {
    long length = Array.getLength(array);
    if (elements.isPrimitive()) {
      bytes += length * widthBytes(elements);
    } else {
      bytes += length * Long.BYTES;
      for (Object element : (Object[]) array) {
        add(element);
      }
    }
  }

  private static int widthBytes(Class<?> primitive) {
    if (primitive == boolean.class || primitive == byte.class) {
      return Byte.BYTES;
    }
    return primitive == long.class || primitive == double.class ? Long.BYTES : Integer.BYTES;
  }

  private static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  private void lookIntoJdk(Object object) {
    if (object instanceof Collection<?> collection) {
      for (Object element : collection) {
        addEntry(element, null);
      }
    } else if (object instanceof Map<?, ?> map) {
      map.forEach(this::addEntry);
    } else if (object instanceof Optional<?> optional) {
      add(optional.orElse(null));
    } else if (object instanceof AtomicReference<?> reference) {
      add(reference.get());
    }
  }

  private void addEntry(Object key, Object value) {
    bytes += BodySizes.OBJECT_BYTES;
    add(key);
    add(value);
  }

  /** Fields of a class and its parents that refer to objects. */
  private static List<Field> references(Class<?> type) {
    List<Field> found = new ArrayList<>();
    for (Class<?> c = type; !isOfJdk(c); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          field.setAccessible(true);
          found.add(field);
        }
      }
    }
    return found;
  }
}
