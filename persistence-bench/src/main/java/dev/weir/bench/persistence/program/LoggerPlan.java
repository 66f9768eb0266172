package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;

/**
 * What distinguishes one program from the others.
 *
 * @param shape how messages become records
 * @param perCommit messages of a commit; of a record, too, in {@link Shape#PACKET}
 * @param objects as in {@link LogSpec}
 * @param early whether a commit that is not full goes when no further message is due
 * @param deviceWrites as in {@link LogSpec}
 * @param stampTimes as in {@link LogSpec}
 * @param tail whether a second thread reads while the first writes
 * @param lazyRead whether the timed read leaves the messages undecoded
 */
record LoggerPlan(
    Shape shape,
    int perCommit,
    long objects,
    boolean early,
    boolean deviceWrites,
    boolean stampTimes,
    boolean tail,
    boolean lazyRead) {}
