package dev.weir.processor;

/** Seconds to a speed. */
final class Acceleration {
  private int mph;
  private float seconds;

  int getMph() {
    return mph;
  }

  void setMph(int mph) {
    this.mph = mph;
  }

  float getSeconds() {
    return seconds;
  }

  void setSeconds(float seconds) {
    this.seconds = seconds;
  }
}
