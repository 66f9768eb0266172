package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.CHANGES_GONE;

import dev.weir.state.ChangePage;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.change.LoggedChange;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A page of the changes of all shards in one order. A position of the factory is that of a shard
 * times the number of shards, plus the number of the shard: so it is unique, and one number is the
 * place of a reader in all shards.
 *
 * <p>A shard that is behind the others may still get changes below what they have. So it is sealed:
 * it gives none of its later changes a position up to that of the others. Then all changes up to
 * there are known.
 */
final class MergedChanges {
  /** Bytes of changes in one page, above which it ends. */
  private static final long MAX_PAGE_BYTES = 256 << 10;

  private static final int CHANGE_BYTES = 200;

  /** How the shards are asked. */
  interface Shards {
    /** Reads the changes behind a position of a shard. */
    Future<ShardChanges> read(int shard, long after, int limit);

    /** Makes every later change of a shard one behind a position. */
    Future<?> seal(int shard, long position);
  }

  private final String factory;
  private final int shardCount;
  private final Shards shards;
  private final Predicate<JsonObject> matches;
  private final int limit;

  /** Null for now. */
  private final Long from;

  private final List<Part> parts;

  /** What one shard has told. */
  private final class Part {
    private final int shard;

    /** All up to here was read. */
    private long read;

    private final List<Buffer> found = new ArrayList<>();
    private long position;
    private boolean hasMore;

    Part(int shard) {
      this.shard = shard;
      this.read =
          from == null
              ? Long.MAX_VALUE
              : Math.max(0, Math.floorDiv(from - shard, (long) shardCount));
    }

    Future<Part> ask() {
      return shards.read(shard, read, limit).map(this::take);
    }

    private Part take(ShardChanges page) {
      if (from != null && read < page.floor()) {
        throw gone(
            "has not all changes behind position "
                + from
                + " any more, it has those behind "
                + global(page.floor(), shard));
      }
      found.addAll(page.found());
      position = page.position();
      hasMore = page.hasMore();
      if (from != null) {
        read =
            hasMore
                ? ShardChanges.positionOf(found.get(found.size() - 1))
                : Math.max(read, position);
      }
      return this;
    }
  }

  /** A change at its place. */
  private record Placed(long position, Buffer change) {}

  /**
   * @param shardCount number of shards
   * @param from the position behind which changes are read; null for now, which gives none
   * @param matches tests documents; null for all
   */
  MergedChanges(
      String factory,
      int shardCount,
      Shards shards,
      Long from,
      int limit,
      Predicate<JsonObject> matches) {
    this.factory = factory;
    this.shardCount = shardCount;
    this.shards = shards;
    this.from = from;
    this.limit = limit;
    this.matches = matches;
    this.parts = IntStream.range(0, shardCount).mapToObj(Part::new).toList();
  }

  private long global(long position, int shard) {
    return position * shardCount + shard;
  }

  private DocumentException gone(String what) {
    return new DocumentException(CHANGES_GONE, "factory " + factory + " " + what);
  }

  Future<ChangePage> page() {
    return Future.all(parts.stream().map(Part::ask).toList())
        .compose(
            asked -> {
              long last = parts.stream().mapToLong(part -> part.position).max().orElseThrow();
              long end = global(last, shardCount - 1);
              if (from != null && from > end) {
                throw gone(
                    "has no change at position " + from + ", its last one is at most at " + end);
              }
              return Future.all(
                      parts.stream()
                          .filter(part -> part.position < last && !part.hasMore)
                          .map(part -> catchUp(part, last))
                          .toList())
                  .map(done -> from == null ? new ChangePage(List.of(), end) : merged(end));
            });
  }

  private Future<?> catchUp(Part part, long last) {
    Future<?> sealed = shards.seal(part.shard, last);
    return from == null ? sealed : sealed.compose(done -> part.ask());
  }

  private ChangePage merged(long end) {
    long known =
        parts.stream()
            .filter(part -> part.hasMore)
            .mapToLong(part -> global(part.read, part.shard))
            .reduce(end, Math::min);
    List<Placed> placed = new ArrayList<>();
    for (Part part : parts) {
      for (Buffer change : part.found) {
        placed.add(new Placed(global(ShardChanges.positionOf(change), part.shard), change));
      }
    }
    placed.removeIf(each -> each.position() > known);
    placed.sort(Comparator.comparingLong(Placed::position));
    List<DocumentChange> told = new ArrayList<>();
    long bytes = 0;
    for (Placed each : placed) {
      LoggedChange change = ShardChanges.decode(each.change(), each.position());
      DocumentChange next = change.told(matches);
      if (next != null) {
        told.add(next);
        bytes += CHANGE_BYTES + each.change().length();
      }
      if (told.size() >= limit || bytes >= MAX_PAGE_BYTES) {
        return new ChangePage(List.copyOf(told), each.position());
      }
    }
    return new ChangePage(List.copyOf(told), known);
  }
}
