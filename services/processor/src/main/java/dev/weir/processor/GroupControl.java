package dev.weir.processor;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.ProcessorGroup;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
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
    if (!words[0].equals(STEP_DOWN)) {
      throw new IllegalArgumentException("there is no command " + words[0]);
    }
    group.handOver();
    return "the role was given up";
  }

  private String status() {
    return groups.values().stream().map(GroupControl::status).collect(Collectors.joining("\n"));
  }

  private static String status(ProcessorGroup group) {
    GroupView view = group.view();
    GroupStats stats = view.stats();
    StringBuilder text =
        new StringBuilder(
            "group %s: %s, epoch %d, primary %s, log to %d%n  %s"
                .formatted(
                    group.options().getName(),
                    stats.role().name().toLowerCase(Locale.ROOT),
                    stats.epoch(),
                    stats.primary() == null ? "unknown" : stats.primary(),
                    stats.logEnd(),
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
