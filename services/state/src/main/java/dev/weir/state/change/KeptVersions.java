package dev.weir.state.change;

import java.util.ArrayList;
import java.util.List;

/**
 * What a change does to the kept versions of its document.
 *
 * @param added versions to keep, the oldest first
 * @param from versions below this one are deleted
 */
public record KeptVersions(List<KeptVersion> added, long from) {
  /** Of a factory that keeps no versions. */
  public static final KeptVersions NONE = new KeptVersions(List.of(), 0);

  /**
   * What a change from one state to another does.
   *
   * @param created whether there was no live document before; versions of an earlier one go then
   * @param earlier how many versions are kept beside the current one; 0 if the factory keeps none
   */
  public static KeptVersions of(
      State before, State after, boolean created, int earlier, long nowMs) {
    if (earlier == 0) {
      return NONE;
    }
    if (after.isAbsent()) {
      return new KeptVersions(List.of(), before.version() + 1);
    }
    long from = created ? after.version() : after.version() - earlier;
    return new KeptVersions(List.of(new KeptVersion(nowMs, after)), from);
  }

  /** What this change and a later one do together. */
  KeptVersions then(KeptVersions later) {
    if (added.isEmpty() && from <= later.from) {
      return later;
    }
    List<KeptVersion> all = new ArrayList<>(added);
    all.addAll(later.added);
    long first = Math.max(from, later.from);
    all.removeIf(each -> each.state().version() < first);
    return new KeptVersions(all, first);
  }
}
