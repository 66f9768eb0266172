package dev.weir.processor;

/** What drives a {@link Car}. */
final class Engine {
  private int capacity;
  private int cylinders;
  private int maxRpm;
  private String manufacturerCode = "";
  private int fuel;

  int getCapacity() {
    return capacity;
  }

  void setCapacity(int capacity) {
    this.capacity = capacity;
  }

  int getCylinders() {
    return cylinders;
  }

  void setCylinders(int cylinders) {
    this.cylinders = cylinders;
  }

  int getMaxRpm() {
    return maxRpm;
  }

  void setMaxRpm(int maxRpm) {
    this.maxRpm = maxRpm;
  }

  String getManufacturerCode() {
    return manufacturerCode;
  }

  void setManufacturerCode(String manufacturerCode) {
    this.manufacturerCode = manufacturerCode;
  }

  int getFuel() {
    return fuel;
  }

  void setFuel(int fuel) {
    this.fuel = fuel;
  }
}
