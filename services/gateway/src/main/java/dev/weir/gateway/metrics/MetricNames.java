package dev.weir.gateway.metrics;

import dev.weir.gateway.metrics.Metric.Type;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every metric of Weir, those of documents in {@link DocumentMetricNames}: name, unit, tags and
 * meaning. In a scrape dots are underscores, and a counter ends in {@code _total}. Those of Vert.x
 * and of the JVM keep the names their libraries give them, {@code vertx.*}, {@code jvm.*}, {@code
 * process.*} and {@code system.*}.
 */
public final class MetricNames {
  /** Tag: address of a service. */
  public static final String ADDRESS = "address";

  /** Tag: name of a queue, which is the address of its service. */
  public static final String QUEUE = "queue";

  /** Tag: data directory of a store. */
  public static final String DIRECTORY = "directory";

  /** Tag: name of a processor group. */
  public static final String GROUP = "group";

  /** Tag: a role in a group, in small letters. */
  public static final String ROLE = "role";

  /** Tag: name of a health check. */
  public static final String CHECK = "check";

  /** Tag: what a slow client let the gateway wait for: header, body, request or reader. */
  public static final String WAITED_FOR = "waited_for";

  // ---- a service

  public static final Metric SERVICE_WORKERS =
      service("workers", "messages", "may be in handling at once");
  public static final Metric SERVICE_WORKERS_BUSY =
      service("workers.busy", "messages", "are in handling");
  public static final Metric SERVICE_PAUSED =
      service("paused", "0 or 1", "1 while nothing is started");
  public static final Metric SERVICE_MEMORY_MESSAGES =
      service("memory.messages", "messages", "wait in the memory tier");
  public static final Metric SERVICE_MEMORY_LIMIT_MESSAGES =
      service("memory.limit.messages", "messages", "may wait in the memory tier");
  public static final Metric SERVICE_MEMORY_BYTES =
      service("memory.bytes", "bytes", "wait in the memory tier");
  public static final Metric SERVICE_MEMORY_LIMIT_BYTES =
      service("memory.limit.bytes", "bytes", "may wait in the memory tier");
  public static final Metric SERVICE_DISK_MESSAGES =
      service("disk.messages", "messages", "wait in the disk tier, its buffers included");
  public static final Metric SERVICE_DISK_BYTES =
      service("disk.bytes", "bytes", "are in the disk tier, as its budget counts them");
  public static final Metric SERVICE_DISK_LIMIT_BYTES =
      service("disk.limit.bytes", "bytes", "budget of the disk tier, 0 without one");
  public static final Metric SERVICE_SCHEDULED =
      service("scheduled.messages", "messages", "durable, wait to be tried again");
  public static final Metric SERVICE_DEAD_LETTERS =
      service("dead.letters", "messages", "durable, whose attempts are used up");
  public static final Metric SERVICE_WAITED_MAX =
      service("waited.max.seconds", "seconds", "longest wait for a worker that was timed");
  public static final Metric SERVICE_ACCEPTED =
      serviceCounter("accepted", "messages", "taken in, one-way durable ones included");
  public static final Metric SERVICE_COMPLETED =
      serviceCounter("completed", "messages", "whose handler succeeded");
  public static final Metric SERVICE_FAILED =
      serviceCounter("failed", "messages", "whose handler failed");
  public static final Metric SERVICE_REJECTED =
      serviceCounter("rejected", "messages", "refused: a limit, a fault, or the service closes");
  public static final Metric SERVICE_DROPPED =
      serviceCounter("dropped", "messages", "dropped by the policy after they were accepted");
  public static final Metric SERVICE_EXPIRED =
      serviceCounter(
          "expired", "messages", "requests not handled because the reply would have come too late");
  public static final Metric SERVICE_SPILLED =
      serviceCounter("spilled", "messages", "that went to the disk tier");
  public static final Metric SERVICE_WRITTEN =
      serviceCounter("written", "messages", "of the spilled, really written to disk");
  public static final Metric SERVICE_WRITTEN_BYTES =
      serviceCounter("written.bytes", "bytes", "of the written messages");
  public static final Metric SERVICE_RECOVERED =
      serviceCounter("recovered", "messages", "found on disk when the service was opened");
  public static final Metric SERVICE_ABANDONED =
      serviceCounter(
          "abandoned.requests",
          "messages",
          "of the recovered, requests and plain sends of an earlier process; not handled");
  public static final Metric SERVICE_RETRIED =
      serviceCounter("retried", "attempts", "that failed and are followed by another");
  public static final Metric SERVICE_WAITED =
      serviceCounter("waited.seconds", "seconds", "all started messages waited for a worker");
  public static final Metric SERVICE_WAITING =
      histogram(
          "weir.service.waiting.seconds",
          "seconds",
          "from arrival, or from when it was due, until the handler was called");
  public static final Metric SERVICE_HANDLING =
      histogram(
          "weir.service.handling.seconds",
          "seconds",
          "from there until the handler's result, failures included");

  // ---- the queue of a service's disk tier

  public static final Metric QUEUE_WAITING =
      queue("waiting.messages", "messages", "no consumer has taken, without the scheduled");
  public static final Metric QUEUE_UNACKNOWLEDGED =
      queue("unacknowledged.messages", "messages", "taken, neither acknowledged nor released");
  public static final Metric QUEUE_SCHEDULED =
      queue("scheduled.messages", "messages", "that wait for their time");
  public static final Metric QUEUE_BYTES =
      queue("bytes", "bytes", "waiting or unacknowledged, as the budget counts them");
  public static final Metric QUEUE_LIMIT_BYTES =
      queue("limit.bytes", "bytes", "budget of the queue");
  public static final Metric QUEUE_BUFFERED_BYTES =
      queue("buffered.bytes", "bytes", "wait in memory to be written");
  public static final Metric QUEUE_DEAD_LETTERS =
      queue("dead.letters", "messages", "dead letters on disk");
  public static final Metric QUEUE_DEAD_LETTER_BYTES =
      queue("dead.letter.bytes", "bytes", "of the dead letters on disk");
  public static final Metric QUEUE_APPENDED = queueCounter("appended", "messages", "accepted");
  public static final Metric QUEUE_DELIVERED =
      queueCounter("delivered", "messages", "taken by the consumer");
  public static final Metric QUEUE_ACKNOWLEDGED =
      queueCounter("acknowledged", "messages", "acknowledged");
  public static final Metric QUEUE_REJECTED =
      queueCounter("rejected", "messages", "refused because of a limit or a fault");
  public static final Metric QUEUE_DROPPED =
      queueCounter("dropped", "messages", "accepted, then dropped as the oldest");
  public static final Metric QUEUE_WRITTEN =
      queueCounter("written", "messages", "really written to disk");
  public static final Metric QUEUE_WRITTEN_BYTES =
      queueCounter("written.bytes", "bytes", "of packets really written to disk");
  public static final Metric QUEUE_COMMITS =
      queueCounter("commits", "transactions", "in which packets were written");
  public static final Metric QUEUE_READ =
      queueCounter("read", "messages", "read from disk to be delivered");
  public static final Metric QUEUE_RECOVERED =
      queueCounter("recovered", "messages", "found on disk when the queue was opened");
  public static final Metric QUEUE_RECOVERED_TRANSIENT =
      queueCounter(
          "recovered.transient", "messages", "of the recovered, thrown away: requester gone");
  public static final Metric QUEUE_CORRUPT_PACKETS =
      queueCounter("corrupt.packets", "packets", "not read back as they had been written");
  public static final Metric QUEUE_LOST =
      queueCounter("lost", "messages", "accepted, but could not be written or read back");
  public static final Metric QUEUE_RETRIED =
      queueCounter("retried", "attempts", "that failed and are followed by another");
  public static final Metric QUEUE_EXPIRED =
      queueCounter("expired", "messages", "whose time was over before they were delivered");
  public static final Metric QUEUE_DUPLICATES =
      queueCounter("duplicates", "messages", "not added because their id was known");
  public static final Metric QUEUE_PURGED =
      queueCounter("purged", "messages", "thrown away by an operator");
  public static final Metric QUEUE_DEAD_LETTERED =
      queueCounter("dead.lettered", "messages", "given up since the queue was opened");
  public static final Metric QUEUE_DEAD_LETTERS_TRIMMED =
      queueCounter("dead.letters.trimmed", "messages", "dead letters removed: too many or too old");

  // ---- the data directory

  public static final Metric STORE_LOG_FILES = store("log.files", "files", "of the log");
  public static final Metric STORE_LOG_BYTES =
      store("log.bytes", "bytes", "of the log files, including data that is not cleaned yet");
  public static final Metric STORE_FREE_BYTES =
      store("free.bytes", "bytes", "free in the file system");
  public static final Metric STORE_MIN_FREE_BYTES =
      store("min.free.bytes", "bytes", "free below which nothing is appended");
  public static final Metric STORE_FULL =
      store("full", "0 or 1", "1 while nothing is appended for want of free space");
  public static final Metric STORE_FAILED =
      store("failed", "0 or 1", "1 while nothing is appended because the files fail");

  // ---- a replica of a processor group

  public static final Metric GROUP_ROLE =
      metric(
          "weir.group.role",
          Type.GAUGE,
          "0 or 1",
          List.of(GROUP, ROLE),
          "1 for the role the replica has");
  public static final Metric GROUP_EPOCH = group("epoch", "number", "highest epoch it knows");
  public static final Metric GROUP_MEMBERS =
      group("members", "members", "that hold messages, all but a witness");
  public static final Metric GROUP_IN_SYNC =
      group("in.sync", "members", "in sync, itself included, as far as it knows");
  public static final Metric GROUP_VOTERS =
      group("voters", "members", "whose vote counts when another becomes primary");
  public static final Metric GROUP_MIN_IN_SYNC =
      group("min.in.sync", "members", "must be in sync for an acknowledgement");
  public static final Metric GROUP_ACCEPTING =
      group("accepting", "0 or 1", "1 while it is primary and may acknowledge");
  public static final Metric GROUP_LOG_START =
      group("log.start", "position", "of the first message it still has");
  public static final Metric GROUP_LOG_END =
      group("log.end", "position", "behind the last message it has");
  public static final Metric GROUP_LOG_EPOCH =
      group("log.epoch", "number", "epoch of the last message it has");
  public static final Metric GROUP_HELD =
      group("held", "position", "as primary: up to which all in sync hold the history; else 0");
  public static final Metric GROUP_LAG =
      group(
          "lag.messages",
          "messages",
          "as primary: which not all in sync are known to hold; else 0");
  public static final Metric GROUP_ACCEPTED =
      groupCounter("accepted", "messages", "taken as primary");
  public static final Metric GROUP_COMPLETED =
      groupCounter("completed", "messages", "of the accepted, replied to");
  public static final Metric GROUP_ANSWERED_AGAIN =
      groupCounter("answered.again", "replies", "given once more to messages that came again");
  public static final Metric GROUP_BUSY =
      groupCounter("busy", "messages", "refused for want of room");
  public static final Metric GROUP_BATCHES =
      groupCounter("batches", "batches", "written as primary");
  public static final Metric GROUP_REPLAYED =
      groupCounter("replayed", "messages", "brought in from the log or the primary");
  public static final Metric GROUP_ROLE_CHANGES =
      groupCounter("role.changes", "changes", "of the role or its epoch");
  public static final Metric GROUP_REJECTED =
      groupCounter("rejected", "messages", "whose handler threw, as primary");
  public static final Metric GROUP_REBUILDS =
      groupCounter("rebuilds", "rebuilds", "of the state, because a handler threw in a change");
  public static final Metric GROUP_SNAPSHOT_PAUSE_MAX =
      group("snapshot.pause.max.seconds", "seconds", "longest stop of the group for a snapshot");
  public static final Metric GROUP_SNAPSHOT_AGE =
      group(
          "snapshot.age.seconds", "seconds", "since the last snapshot of this process; NaN before");
  public static final Metric GROUP_CLIENTS =
      group("clients", "clients", "whose messages the group remembers");
  public static final Metric GROUP_REPLY_BYTES =
      group("reply.bytes", "bytes", "of memory for replies that clients may ask for again");

  // ---- a service of shards, on one member

  public static final Metric SHARDS_REPLICAS =
      metric(
          "weir.shards.replicas",
          Type.GAUGE,
          "replicas",
          List.of(ADDRESS),
          "of its shards on this member");
  public static final Metric SHARDS_MOVES_LEFT =
      metric(
          "weir.shards.moves.left",
          Type.GAUGE,
          "replicas",
          List.of(ADDRESS),
          "that still have to move or to catch up, as far as this member was told");
  public static final Metric SHARDS_MOVE_STEPS =
      metric(
          "weir.shards.move.steps",
          Type.COUNTER,
          "steps",
          List.of(ADDRESS),
          "of moves, made because this member, as primary of the first shard, asked for them");
  public static final Metric SHARDS_MOVE_STEPS_FAILED =
      metric(
          "weir.shards.move.steps.failed",
          Type.COUNTER,
          "steps",
          List.of(ADDRESS),
          "that this member asked for in vain; each is asked for again");

  // ---- the gateway

  public static final Metric GATEWAY_READY =
      metric(
          "weir.gateway.ready",
          Type.GAUGE,
          "0 or 1",
          List.of(),
          "1 while /health/ready answers 200");
  public static final Metric GATEWAY_CHECK =
      metric(
          "weir.gateway.check",
          Type.GAUGE,
          "0 or 1",
          List.of(CHECK),
          "1 while that check of /health/ready passes");

  public static final Metric GATEWAY_IN_FLIGHT =
      metric(
          "weir.gateway.in.flight.requests",
          Type.GAUGE,
          "requests",
          List.of(),
          "to services and mounted routes, not answered yet, those on web sockets included");

  public static final Metric GATEWAY_REQUESTS =
      gatewayCounter(
          "requests", "requests", "to services and mounted routes, those on web sockets included");

  public static final Metric GATEWAY_CONNECTIONS =
      metric("weir.gateway.connections", Type.GAUGE, "connections", List.of(), "open");
  public static final Metric GATEWAY_BODY_BYTES =
      metric(
          "weir.gateway.in.flight.body.bytes",
          Type.GAUGE,
          "bytes",
          List.of(),
          "of the bodies of requests in flight, as their limit counts them");
  public static final Metric GATEWAY_REFUSED_CONNECTIONS =
      gatewayCounter("refused.connections", "connections", "closed at once: too many were open");
  public static final Metric GATEWAY_TIMEOUTS =
      metric(
          "weir.gateway.timeouts",
          Type.COUNTER,
          "connections",
          List.of(WAITED_FOR),
          "closed because the client was too slow");
  public static final Metric GATEWAY_REJECTED_REQUESTS =
      gatewayCounter("rejected.requests", "requests", "answered with 503: too many in flight");
  public static final Metric GATEWAY_DENIED_REQUESTS =
      gatewayCounter("denied.requests", "requests", "answered with 401 or 403");

  private static final List<Metric> ALL =
      Stream.of(MetricNames.class, DocumentMetricNames.class)
          .flatMap(names -> Arrays.stream(names.getFields()))
          .filter(field -> field.getType() == Metric.class)
          .filter(field -> Modifier.isStatic(field.getModifiers()))
          .map(MetricNames::valueOf)
          .toList();

  private MetricNames() {}

  /** All of them, in the order of this file, then those of documents. */
  public static List<Metric> all() {
    return ALL;
  }

  private static Metric valueOf(Field field) {
    try {
      return (Metric) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Metric service(String name, String unit, String meaning) {
    return metric("weir.service." + name, Type.GAUGE, unit, List.of(ADDRESS), meaning);
  }

  private static Metric serviceCounter(String name, String unit, String meaning) {
    return metric("weir.service." + name, Type.COUNTER, unit, List.of(ADDRESS), meaning);
  }

  private static Metric histogram(String name, String unit, String meaning) {
    return metric(name, Type.HISTOGRAM, unit, List.of(ADDRESS), meaning);
  }

  private static Metric queue(String name, String unit, String meaning) {
    return metric("weir.queue." + name, Type.GAUGE, unit, List.of(QUEUE), meaning);
  }

  private static Metric queueCounter(String name, String unit, String meaning) {
    return metric("weir.queue." + name, Type.COUNTER, unit, List.of(QUEUE), meaning);
  }

  private static Metric store(String name, String unit, String meaning) {
    return metric("weir.store." + name, Type.GAUGE, unit, List.of(DIRECTORY), meaning);
  }

  private static Metric group(String name, String unit, String meaning) {
    return metric("weir.group." + name, Type.GAUGE, unit, List.of(GROUP), meaning);
  }

  private static Metric groupCounter(String name, String unit, String meaning) {
    return metric("weir.group." + name, Type.COUNTER, unit, List.of(GROUP), meaning);
  }

  private static Metric gatewayCounter(String name, String unit, String meaning) {
    return metric("weir.gateway." + name, Type.COUNTER, unit, List.of(), meaning);
  }

  private static Metric metric(
      String name, Type type, String unit, List<String> tags, String meaning) {
    return new Metric(name, type, unit, tags, meaning);
  }
}
