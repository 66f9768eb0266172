package dev.weir.flow.impl;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Estimates what an object of any class holds of the heap, with all that its fields lead to. Each
 * object counts once. Values of the JDK, such as an Instant, count as small, and so do objects of
 * Vert.x and Netty, which a body shares with others. Another object of the JDK, such as an image,
 * makes the size unknown, unless it can be asked for its size.
 *
 * <p>For bodies that nothing else can size, and that wait: it looks at each object by reflection.
 */
final class ObjectSizes {
  /** More than any limit, for an object that cannot be looked through. */
  static final long UNKNOWN = Long.MAX_VALUE / 2;

  private static final List<String> SHARED = List.of("io.vertx.", "io.netty.");

  /** Packages of the JDK with values and small helpers; their collections are looked into. */
  private static final List<String> VALUES =
      List.of(
          "java.lang.",
          "java.math.",
          "java.net.",
          "java.nio.charset.",
          "java.nio.file.",
          "java.security.",
          "java.sql.",
          "java.text.",
          "java.time.",
          "java.util.",
          "jdk.internal.loader.",
          "sun.");

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
    ObjectSizes walk = new ObjectSizes(limit);
    try {
      walk.add(object);
      while (!walk.left.isEmpty() && walk.bytes <= limit) {
        walk.look(walk.left.poll());
      }
      return Math.min(walk.bytes, UNKNOWN);
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
    if (plain < 0 && !(object instanceof Enum)) {
      bytes += jdkBytes(object);
      left.add(object);
    }
  }

  /** What the part of an object that is the JDK's holds by itself; {@link #UNKNOWN} if unknown. */
  private static long jdkBytes(Object object) {
    if (object instanceof ByteBuffer buffer) {
      return buffer.capacity();
    }
    if (object instanceof java.nio.Buffer buffer) {
      return (long) Long.BYTES * buffer.capacity();
    }
    if (object instanceof ByteBuf buffer) {
      return buffer.capacity();
    }
    if (object instanceof BitSet bits) {
      return bits.size() / Byte.SIZE;
    }
    if (object instanceof ByteArrayOutputStream stream) {
      return stream.size();
    }
    if (object instanceof AtomicLongArray numbers) {
      return (long) Long.BYTES * numbers.length();
    }
    if (object instanceof AtomicIntegerArray numbers) {
      return (long) Integer.BYTES * numbers.length();
    }
    Class<?> type = object.getClass();
    while (!isOfJdk(type)) {
      type = type.getSuperclass();
    }
    String name = type.getName();
    boolean known =
        type.isArray()
            || object instanceof Collection
            || object instanceof Map
            || object instanceof File
            || VALUES.stream().anyMatch(name::startsWith) && !name.startsWith("java.util.zip.");
    return known ? 0 : UNKNOWN;
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
    } else if (object instanceof AtomicReferenceArray<?> array) {
      for (int i = 0; i < array.length(); i++) {
        addEntry(array.get(i), null);
      }
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
