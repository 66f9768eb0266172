/**
 * The benchmark harness: {@link dev.weir.bench.Scenario scenarios} measured by a {@link
 * dev.weir.bench.Rig}, usually behind a {@link dev.weir.bench.BenchCommand}. It knows no system
 * under test.
 *
 * <p>{@code load} generates operations, {@code record} keeps latencies, {@code verify} earns the
 * verdict, {@code env} describes the machine, {@code report} writes files and text.
 */
package dev.weir.bench;
