package dev.weir.processor;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** How cars are encoded, and how a handler gets at what is in them. */
public enum Encoding {
  /** Simple Binary Encoding, flyweights straight on the buffers; allocates nothing. */
  SBE_DIRECT("sbe.direct", SbeDirectCodec::new, SbeFormat::new),
  /** Simple Binary Encoding, decoded into plain objects with getters and setters. */
  SBE_INDIRECT("sbe.indirect", () -> new PlainCodec(new SbeFormat()), SbeFormat::new),
  /** Protocol Buffers, read field by field in the order of the bytes into plain objects. */
  PROTOBUF_SERIAL(
      "protobuf.serial", () -> new PlainCodec(new ProtobufFormat()), ProtobufFormat::new),
  /** Protocol Buffers, parsed into generated messages, which are read by getters in any order. */
  PROTOBUF_RANDOM("protobuf.random", ProtobufMessageCodec::new, ProtobufFormat::new);

  private final String label;
  private final Supplier<CarCodec> codec;
  private final Supplier<CarFormat> format;

  Encoding(String label, Supplier<CarCodec> codec, Supplier<CarFormat> format) {
    this.label = label;
    this.codec = codec;
    this.format = format;
  }

  /** What a handler uses; a new one for each handler. */
  public CarCodec newCodec() {
    return codec.get();
  }

  CarFormat newFormat() {
    return format.get();
  }

  /** The name as in options and results. */
  @Override
  public String toString() {
    return label;
  }

  /**
   * The encoding with this name.
   *
   * @throws IllegalArgumentException if there is none, with a line that says which to use
   */
  public static Encoding parse(String name) {
    return Arrays.stream(values())
        .filter(encoding -> encoding.label.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(refusal(name)));
  }

  private static String refusal(String name) {
    if (name != null && name.matches("(xbuf2|quark)(\\..*)?")) {
      String instead = name.endsWith(".random") ? "sbe.indirect" : "sbe.direct";
      return "--encoding "
          + name
          + " is proprietary and not available here: use "
          + instead
          + " (read in any order: sbe.indirect or protobuf.random; in order: sbe.direct or"
          + " protobuf.serial)";
    }
    return "--encoding is "
        + name
        + ", allowed is "
        + Arrays.stream(values()).map(Encoding::toString).collect(Collectors.joining(", "));
  }
}
