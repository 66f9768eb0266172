package dev.weir.bench.eventbus.rpc;

import dev.weir.bench.eventbus.rpc.RpcResult.MercuryFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text that compares the paths with each other and with Mercury. */
final class RpcSummary {
  private RpcSummary() {}

  /** A line for each result: minimum and maximum, then the medians compared. */
  static List<String> lines(List<RpcResult> results) {
    List<String> lines = new ArrayList<>();
    lines.add("One event is one request with its reply: messages moved are twice that.");
    for (RpcResult result : results) {
      lines.add(speed(result));
    }
    lines.add("");
    lines.add("Medians compared; Mercury's maxima: " + MercuryFigures.SOURCE + ".");
    lines.add("Its body is a byte array, and all that waits is written: only such rows compare.");
    for (RpcResult result : results) {
      if (result.isMercurys()) {
        lines.add(ratios(result));
      }
    }
    return lines;
  }

  private static String speed(RpcResult result) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %s - min %,.0f, median %,.0f, max %,.0f events/second",
        result.rpcCase().sentence(),
        result.path(),
        result.kind(),
        result.opsPerSec().min(),
        result.opsPerSec().median(),
        result.opsPerSec().max());
  }

  private static String ratios(RpcResult result) {
    return String.format(
        Locale.ROOT,
        "%s %,d bytes, %s, %s: %.2f of raw-bus, %.1f times Mercury's better maximum (%,d), %.1f"
            + " times its Berkeley DB maximum (%,d)",
        result.rpcCase().label(),
        result.rpcCase().bytes(),
        result.path(),
        result.kind(),
        result.ratioToRawBus(),
        result.ratioToMercuryBetter(),
        MercuryFigures.betterMax(result.rpcCase()),
        result.ratioToMercuryBdb(),
        MercuryFigures.bdbMax(result.rpcCase()));
  }
}
