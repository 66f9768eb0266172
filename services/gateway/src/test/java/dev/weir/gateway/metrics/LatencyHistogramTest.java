package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final long MS = 1_000_000;

  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  void bucketsGoFrom10MicrosecondsTo60SecondsAndNoneIsMuchWiderThanTheOneBefore() {
    long[] bounds = LatencyHistogram.boundsNs();
    assertThat(bounds[0]).isEqualTo(10_000);
    assertThat(bounds[bounds.length - 1]).isEqualTo(60_000 * MS);
    for (int i = 1; i < bounds.length; i++) {
      assertThat((double) bounds[i] / bounds[i - 1]).isBetween(1.1, 1.7);
    }
  }

  @Test
  void aDurationIsInTheFirstBucketWhoseBoundItDoesNotExceed() {
    long[] bounds = LatencyHistogram.boundsNs();
    for (int i = 0; i < bounds.length; i++) {
      LatencyHistogram one = new LatencyHistogram();
      one.record(bounds[i], 1);
      one.record(bounds[i] + 1, 1);
      assertThat(one.snapshot().counts()[i]).isEqualTo(1);
      assertThat(one.snapshot().counts()[i + 1]).isEqualTo(1);
    }
  }

  @Test
  void whatStandsForManyCountsAsMany() {
    histogram.record(2 * MS, 16);
    assertThat(histogram.snapshot().messages()).isEqualTo(16);
    assertThat(histogram.snapshot().sumNs()).isEqualTo(32 * MS);
  }

  @Test
  void percentilesAreWithinTheirBucket() {
    for (int ms = 1; ms <= 1000; ms++) {
      histogram.record(ms * MS, 1);
    }
    LatencySnapshot snapshot = histogram.snapshot();
    for (double percentile : new double[] {10, 50, 90, 99, 100}) {
      double expected = percentile * 10 * MS;
      assertThat((double) snapshot.percentileNs(percentile))
          .isCloseTo(expected, within(expected / 5));
    }
  }

  @Test
  void noPercentileIsMadeUpBelowTheFirstBound() {
    histogram.record(1_000, 1000);
    for (double percentile : new double[] {0, 50, 90, 99, 99.9, 100}) {
      assertThat(histogram.snapshot().percentileNs(percentile)).isEqualTo(LatencySnapshot.LEAST_NS);
    }
  }

  @Test
  void nothingRecordedHasNoPercentile() {
    assertThat(histogram.snapshot().percentileNs(99)).isZero();
  }

  @Test
  void whatTookLongerThanAllBoundsHasThePercentileOfTheLast() {
    histogram.record(100_000 * MS, 1);
    assertThat(histogram.snapshot().percentileNs(50)).isEqualTo(60_000 * MS);
  }

  @Test
  void theDifferenceOfSnapshotsIsWhatCameBetween() {
    histogram.record(MS, 5);
    LatencySnapshot before = histogram.snapshot();
    histogram.record(100 * MS, 3);
    LatencySnapshot between = histogram.snapshot().since(before);
    assertThat(between.messages()).isEqualTo(3);
    assertThat(between.sumNs()).isEqualTo(300 * MS);
    assertThat(Arrays.stream(between.counts()).filter(count -> count > 0)).containsExactly(3L);
  }

  @Test
  void anImpossiblePercentileIsRefused() {
    assertThatThrownBy(() -> histogram.snapshot().percentileNs(101))
        .hasMessage("percentile is 101.0, allowed is 0 to 100");
  }
}
