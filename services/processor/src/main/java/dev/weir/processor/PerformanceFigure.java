package dev.weir.processor;

import java.util.ArrayList;
import java.util.List;

/** How a {@link Car} accelerates on one kind of fuel. */
final class PerformanceFigure {
  private int octaneRating;
  private List<Acceleration> accelerations = new ArrayList<>();

  int getOctaneRating() {
    return octaneRating;
  }

  void setOctaneRating(int octaneRating) {
    this.octaneRating = octaneRating;
  }

  List<Acceleration> getAccelerations() {
    return accelerations;
  }
}
