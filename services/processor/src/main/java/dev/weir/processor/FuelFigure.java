package dev.weir.processor;

/** What a {@link Car} uses at one speed. */
final class FuelFigure {
  private int speed;
  private float mpg;
  private String usage = "";

  int getSpeed() {
    return speed;
  }

  void setSpeed(int speed) {
    this.speed = speed;
  }

  float getMpg() {
    return mpg;
  }

  void setMpg(float mpg) {
    this.mpg = mpg;
  }

  String getUsage() {
    return usage;
  }

  void setUsage(String usage) {
    this.usage = usage;
  }
}
