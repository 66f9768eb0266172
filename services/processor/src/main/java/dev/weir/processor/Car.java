package dev.weir.processor;

import java.util.ArrayList;
import java.util.List;

/** The message as a plain object. */
final class Car {
  private long serialNumber;
  private long odometer;
  private int modelYear;
  private int options;
  private char code;
  private String vehicleCode = "";
  private int[] numbers = new int[0];
  private int extras;
  private Engine engine = new Engine();
  private List<FuelFigure> fuelFigures = new ArrayList<>();
  private List<PerformanceFigure> performanceFigures = new ArrayList<>();
  private String manufacturer = "";
  private String model = "";
  private String activationCode = "";

  long getSerialNumber() {
    return serialNumber;
  }

  void setSerialNumber(long serialNumber) {
    this.serialNumber = serialNumber;
  }

  long getOdometer() {
    return odometer;
  }

  void setOdometer(long odometer) {
    this.odometer = odometer;
  }

  int getModelYear() {
    return modelYear;
  }

  void setModelYear(int modelYear) {
    this.modelYear = modelYear;
  }

  int getOptions() {
    return options;
  }

  void setOptions(int options) {
    this.options = options;
  }

  char getCode() {
    return code;
  }

  void setCode(char code) {
    this.code = code;
  }

  String getVehicleCode() {
    return vehicleCode;
  }

  void setVehicleCode(String vehicleCode) {
    this.vehicleCode = vehicleCode;
  }

  int[] getNumbers() {
    return numbers;
  }

  void setNumbers(int[] numbers) {
    this.numbers = numbers;
  }

  int getExtras() {
    return extras;
  }

  void setExtras(int extras) {
    this.extras = extras;
  }

  Engine getEngine() {
    return engine;
  }

  void setEngine(Engine engine) {
    this.engine = engine;
  }

  List<FuelFigure> getFuelFigures() {
    return fuelFigures;
  }

  List<PerformanceFigure> getPerformanceFigures() {
    return performanceFigures;
  }

  String getManufacturer() {
    return manufacturer;
  }

  void setManufacturer(String manufacturer) {
    this.manufacturer = manufacturer;
  }

  String getModel() {
    return model;
  }

  void setModel(String model) {
    this.model = model;
  }

  String getActivationCode() {
    return activationCode;
  }

  void setActivationCode(String activationCode) {
    this.activationCode = activationCode;
  }
}
