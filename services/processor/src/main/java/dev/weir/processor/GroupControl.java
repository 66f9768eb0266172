package dev.weir.processor;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Answers the questions that commands ask a running member: words, of which the first is the
 * command and the second a group. The first word of an answer says whether it was done.
 */
final class GroupControl implements UnaryOperator<String> {
  static final String DONE = "done ";
  static final String REFUSED = "refused ";
  static final String STATUS = "status";
  static final String STEP_DOWN = "step-down";
  static final String ADD = "add";
  static final String ADD_WITNESS = "add-witness";
  static final String REMOVE = "remove";
  static final String REPLACE = "replace";

  private static final long WAIT_S = 20;
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Map<String, ProcessorGroup> groups;

  /** The groups by their names. */
  GroupControl(List<ProcessorGroup> groups) {
    this.groups =
        groups.stream()
            .collect(Collectors.toMap(group -> group.options().getName(), Function.identity()));
  }

  @Override
  public String apply(String question) {
    String[] words = question.split(" ");
    try {
      return DONE + (words[0].equals(STATUS) ? status() : answer(words));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return REFUSED + e.getMessage();
    }
  }

  private String answer(String[] words) {
    ProcessorGroup group = words.length < 2 ? null : groups.get(words[1]);
    if (group == null) {
      throw new IllegalArgumentException(
          "there is no such group on this member, allowed is one of " + groups.keySet());
    }
    if (words[0].equals(STEP_DOWN)) {
      long epoch = group.stats().epoch();
      group.handOver();
      return awaitNext(group::stats, epoch, Long.parseLong(words[2]));
    }
    if (words.length < (words[0].equals(REPLACE) ? 4 : 3)) {
      throw new IllegalArgumentException("a member is missing");
    }
    return switch (words[0]) {
      case ADD -> made(group, group.add(words[2]));
      case ADD_WITNESS -> made(group, group.addWitness(words[2]));
      case REMOVE -> made(group, group.remove(words[2]));
      case REPLACE -> made(group, group.replace(words[2], words[3]));
      default -> throw new IllegalArgumentException("there is no command " + words[0]);
    };
  }

  private static String made(ProcessorGroup group, CompletionStage<List<String>> change) {
    try {
      return "the members are " + names(change.toCompletableFuture().get(WAIT_S, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      return "the change has begun and goes on, the members are " + names(group.members());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the member is stopping", e);
    }
  }

  /** The names of members, of which those of vacant places are empty, for people. */
  static String names(List<String> members) {
    List<String> names = members.stream().filter(name -> !name.isEmpty()).toList();
    return names.isEmpty() ? "no member" : String.join(", ", names);
  }

  /**
   * Waits until another member has taken the role over.
   *
   * @param stats of the member that has given its role up
   * @param epoch in which it had the role
   * @return which member is primary now
   * @throws IllegalStateException if none has taken it over in time, or this member has it again
   */
  static String awaitNext(Supplier<GroupStats> stats, long epoch, long timeoutMs) {
    long startNs = System.nanoTime();
    GroupStats now = stats.get();
    while (now.epoch() == epoch || now.role() != Role.PRIMARY && now.primary() == null) {
      if (System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
        throw new IllegalStateException(
            "this member gave the role up, and no member was known to have taken it over after %d ms: %s"
                .formatted(timeoutMs, now.reason()));
      }
      LockSupport.parkNanos(POLL_NS);
      now = stats.get();
    }
    if (now.role() == Role.PRIMARY) {
      throw new IllegalStateException(
          "this member gave the role up and has it again, in epoch " + now.epoch());
    }
    return "the role was handed over to %s, epoch %d".formatted(now.primary(), now.epoch());
  }

  private String status() {
    return groups.values().stream().map(GroupControl::status).collect(Collectors.joining("\n"));
  }

  private static String status(ProcessorGroup group) {
    GroupView view = group.view();
    GroupStats stats = view.stats();
    StringBuilder text =
        new StringBuilder(
            "group %s: %s, epoch %d, primary %s, log to %d%n  members %s; %s"
                .formatted(
                    group.options().getName(),
                    stats.role().name().toLowerCase(Locale.ROOT),
                    stats.epoch(),
                    stats.primary() == null ? "unknown" : stats.primary(),
                    stats.logEnd(),
                    names(group.members()),
                    stats.reason()));
    view.peers().forEach(peer -> text.append("\n  ").append(peer(peer)));
    return text.toString();
  }

  private static String peer(GroupView.Peer peer) {
    return peer.name()
        + (peer.witness() ? ", witness" : peer.inSync() ? ", in sync" : ", not in sync")
        + (peer.connected() ? ", connected" : ", not connected")
        + (peer.behind() < 0 ? "" : ", behind by " + peer.behind());
  }
}
