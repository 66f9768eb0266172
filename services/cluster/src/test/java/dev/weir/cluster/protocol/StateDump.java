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
import java.util.Set;
import java.util.function.Supplier;

/**
 * Copies the objects of a {@link GroupMachine}, and reduces them to a number that is the same for
 * states in which the machine acts the same: times count relative to now, a process is named by its
 * member and by how many later ones that has, and of the last heartbeat of a member it does not
 * count when it was sent.
 */
final class StateDump {
  /**
   * Bits of a time; above them is the number of the process whose clock it is, so that all
   * processes have other clocks and other ids.
   */
  static final int TIME_BITS = 44;

  private static final Map<Class<?>, Slot[]> SLOTS = new HashMap<>();
  private static final Set<String> SKIPPED =
      Set.of(
          "heartbeatNs",
          "leaseNs",
          "takeoverNs",
          "gapNs",
          "waitNs",
          "reason",
          "number",
          "lastNumber",
          // Nothing arrives that was sent on an earlier connection.
          "connectedNs");

  /** What a field means to a number. */
  private enum Use {
    NOTHING,
    VALUE,
    TIME,
    PROCESS,
    SAID
  }

  private record Slot(Field field, Class<?> type, Use use) {
    static Slot of(Field field) {
      field.setAccessible(true);
      return new Slot(field, field.getType(), use(field));
    }

    private static Use use(Field field) {
      String name = field.getName();
      if (SKIPPED.contains(name)) {
        return Use.NOTHING;
      }
      if (name.equals("counted") || name.equals("process")) {
        return Use.PROCESS;
      }
      if (name.equals("said")) {
        return Use.SAID;
      }
      return name.endsWith("Ns") ? Use.TIME : Use.VALUE;
    }

    void copy(Object from, Object to, Map<Object, Object> copies) throws IllegalAccessException {
      if (type == long.class) {
        field.setLong(to, field.getLong(from));
      } else if (type == int.class) {
        field.setInt(to, field.getInt(from));
      } else if (type == boolean.class) {
        field.setBoolean(to, field.getBoolean(from));
      } else {
        field.set(to, StateDump.copy(field.get(from), copies));
      }
    }

    void digest(Object of, Digest digest) throws IllegalAccessException {
      if (type == long.class) {
        digest.add(field.getLong(of), use);
      } else if (type == int.class) {
        digest.add(field.getInt(of));
      } else if (type == boolean.class) {
        digest.add(field.getBoolean(of) ? 1 : 2);
      } else if (use == Use.SAID) {
        digest.addSaid((Control) field.get(of));
      } else if (use == Use.TIME) {
        Object time = field.get(of);
        digest.add(time == null ? -1 : (Long) time, Use.TIME);
      } else if (use != Use.NOTHING) {
        digest.add(field.get(of));
      }
    }
  }

  private StateDump() {}

  private static Slot[] slots(Class<?> type) {
    Slot[] known = SLOTS.get(type);
    if (known == null) {
      List<Slot> slots = new ArrayList<>();
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          slots.add(Slot.of(field));
        }
      }
      known = slots.toArray(new Slot[0]);
      SLOTS.put(type, known);
    }
    return known;
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
      for (Slot slot : slots(value.getClass())) {
        slot.copy(value, copy, copies);
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
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;

    private final long nowNs;
    private final long pastNs;
    private final int[] starts;
    private final Map<Object, Boolean> seen = new IdentityHashMap<>();
    private long first = 0x243F6A8885A308D3L;
    private long second = 0x13198A2E03707344L;

    /**
     * @param pastNs times before now by more than this are all the same
     * @param starts number of processes that each member has had
     */
    Digest(long nowNs, long pastNs, int[] starts) {
      this.nowNs = nowNs;
      this.pastNs = pastNs;
      this.starts = starts;
    }

    Digest add(long value) {
      first = (first ^ value) * 0x9E3779B97F4A7C15L;
      first ^= first >>> 32;
      second = (second + value) * 0xC2B2AE3D27D4EB4FL;
      second ^= second >>> 29;
      return this;
    }

    private void add(long value, Use use) {
      switch (use) {
        case TIME -> addTime(value);
        case PROCESS -> addProcess(value);
        case VALUE -> add(value);
        default -> {}
      }
    }

    private Digest addTime(long timeNs) {
      long sinceNs = nowNs - (timeNs & TIME_MASK);
      return add(timeNs < 0 || sinceNs > pastNs ? Long.MIN_VALUE : sinceNs);
    }

    private Digest addProcess(long process) {
      if (process == 0) {
        return add(0);
      }
      int number = (int) (process >>> TIME_BITS);
      int member = number % starts.length;
      return add(1 + member).add(starts[member] - number / starts.length);
    }

    void add(Object value) {
      if (value == null) {
        add(-7);
      } else if (value instanceof Control control) {
        addControl(control);
      } else if (value instanceof Membership members) {
        add(members.names().hashCode()).add(members.witness());
      } else if (value instanceof LogEnd end) {
        add(end.epoch()).add(end.position());
      } else if (value instanceof Number number) {
        add(number.longValue());
      } else if (value instanceof Enum<?> one) {
        add(one.ordinal());
      } else if (value instanceof int[] numbers) {
        for (int number : numbers) {
          add(number);
        }
      } else if (value instanceof Object[] objects) {
        for (Object object : objects) {
          add(object);
        }
      } else if (value instanceof Record || !isSkipped(value) && seen.put(value, true) == null) {
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
      try {
        for (Slot slot : slots(value.getClass())) {
          slot.digest(value, this);
        }
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }

    private void addSaid(Control said) {
      if (said == null) {
        add(-7);
      } else {
        addRecord(said.record()).add(said.primary()).add(said.flags()).add(said.disk());
        add(said.end());
      }
    }

    /** What is sent of a record. */
    private Digest addRecord(GroupRecord told) {
      add(told.epoch()).add(told.inSyncEpoch()).add(told.inSync()).add(told.version());
      add(told.disks()).add(told.voter()).add((Object) told.membership());
      return this;
    }

    private void addControl(Control control) {
      add(control.type().ordinal()).addRecord(control.record());
      addProcess(control.sender()).addProcess(control.receiver());
      addTime(control.sentNs()).add(control.primary()).add(control.flags()).add(control.disk());
      add(control.end());
    }

    long first() {
      return first;
    }

    long second() {
      return second;
    }

    /** Of two different states the same one in 2^64. */
    long key() {
      return first ^ second * 0xD6E8FEB86659FD93L;
    }
  }

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
