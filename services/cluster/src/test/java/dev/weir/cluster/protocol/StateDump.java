package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Copies the objects of a {@link GroupMachine}, and reduces them to a number that is the same for
 * states in which the machine acts the same: times count relative to now, and processes are named
 * in the order in which they are met.
 */
final class StateDump {
  private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();
  private static final List<String> CONSTANTS =
      List.of("heartbeatNs", "leaseNs", "takeoverNs", "gapNs", "waitNs");

  private StateDump() {}

  private static List<Field> fields(Class<?> type) {
    return FIELDS.computeIfAbsent(
        type,
        t -> {
          List<Field> fields = new ArrayList<>();
          for (Field field : t.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
              field.setAccessible(true);
              fields.add(field);
            }
          }
          return fields;
        });
  }

  private static boolean isShared(Object value) {
    return value == null
        || value instanceof Record
        || value instanceof Enum
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof GroupOptions;
  }

  /**
   * Copies an object with all it refers to.
   *
   * @param copies what the objects outside the machine are replaced by
   */
  static Object copy(Object value, Map<Object, Object> copies) {
    if (isShared(value)) {
      return value;
    }
    Object known = copies.get(value);
    if (known != null) {
      return known;
    }
    if (value.getClass().isArray()) {
      int length = Array.getLength(value);
      Object copy = Array.newInstance(value.getClass().getComponentType(), length);
      copies.put(value, copy);
      for (int i = 0; i < length; i++) {
        Array.set(copy, i, copy(Array.get(value, i), copies));
      }
      return copy;
    }
    try {
      Object copy = Allocator.allocate(value.getClass());
      copies.put(value, copy);
      for (Field field : fields(value.getClass())) {
        field.set(copy, copy(field.get(value), copies));
      }
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  static Map<Object, Object> copies() {
    return new IdentityHashMap<>();
  }

  /** Adds what a state consists of to a number. */
  static final class Digest {
    private final long nowNs;
    private final long pastNs;
    private final Map<Long, Long> processes = new HashMap<>();
    private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();
    private long first = 0x243F6A8885A308D3L;
    private long second = 0x13198A2E03707344L;

    /**
     * @param pastNs times before now by more than this are all the same
     */
    Digest(long nowNs, long pastNs) {
      this.nowNs = nowNs;
      this.pastNs = pastNs;
    }

    Digest add(long value) {
      first = (first ^ value) * 0x9E3779B97F4A7C15L;
      first ^= first >>> 32;
      second = (second + value) * 0xC2B2AE3D27D4EB4FL;
      second ^= second >>> 29;
      return this;
    }

    Digest addTime(long timeNs) {
      return add(timeNs < nowNs - pastNs ? Long.MIN_VALUE : timeNs - nowNs);
    }

    Digest addProcess(long process) {
      return add(process == 0 ? 0 : processes.computeIfAbsent(process, p -> processes.size() + 1L));
    }

    void add(Object value) {
      if (value == null) {
        add(-7);
      } else if (value instanceof Number number) {
        add(number.longValue());
      } else if (value instanceof Boolean flag) {
        add(flag ? 1 : 2);
      } else if (value instanceof Enum<?> one) {
        add(one.ordinal());
      } else if (value instanceof Control control) {
        addControl(control);
      } else if (value instanceof LogEnd end) {
        add(end.epoch()).add(end.position());
      } else if (value.getClass().isArray()) {
        for (int i = 0; i < Array.getLength(value); i++) {
          add(Array.get(value, i));
        }
      } else if (!isSkipped(value) && seen.put(value, true) == null) {
        addFields(value);
      }
    }

    private static boolean isSkipped(Object value) {
      return value instanceof GroupOptions
          || value instanceof String
          || value instanceof Supplier
          || value instanceof ProtocolEffects;
    }

    private void addFields(Object value) {
      boolean state = value instanceof ReplicaState || value instanceof GroupMachine;
      for (Field field : fields(value.getClass())) {
        String name = field.getName();
        try {
          Object content = field.get(value);
          if (state && CONSTANTS.contains(name) || name.equals("reason")) {
            continue;
          }
          if (name.equals("number") || name.equals("lastNumber")) {
            continue;
          }
          if (name.equals("counted") || name.equals("process")) {
            addProcess((long) content);
          } else if (name.endsWith("Ns") && content instanceof Long time) {
            addTime(time);
          } else {
            add(content);
          }
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }

    private void addControl(Control control) {
      add(control.type().ordinal()).add(control.epoch());
      addProcess(control.sender()).addProcess(control.receiver());
      addTime(control.sentNs()).add(control.inSyncEpoch()).add(control.inSync());
      add(control.version()).add(control.primary()).add(control.flags());
      add(control.disk()).add(control.voter());
      add(control.end());
    }

    /** Of 128 bits, as a key. */
    Key key() {
      return new Key(first, second);
    }
  }

  record Key(long first, long second) {}

  /** Makes objects without their constructors, as serialization does. */
  private static final class Allocator {
    private static final Map<Class<?>, Constructor<?>> CONSTRUCTORS = new HashMap<>();

    static Object allocate(Class<?> type) throws ReflectiveOperationException {
      Constructor<?> constructor = CONSTRUCTORS.get(type);
      if (constructor == null) {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object instance = factory.getMethod("getReflectionFactory").invoke(null);
        constructor =
            (Constructor<?>)
                factory
                    .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                    .invoke(instance, type, Object.class.getDeclaredConstructor());
        CONSTRUCTORS.put(type, constructor);
      }
      return constructor.newInstance();
    }
  }
}
