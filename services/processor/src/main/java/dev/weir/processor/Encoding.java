package dev.weir.processor;

import dev.weir.processor.codec.CarFormat;
import dev.weir.processor.codec.PlainCodec;
import dev.weir.processor.codec.ProtobufFormat;
import dev.weir.processor.codec.ProtobufMessageCodec;
import dev.weir.processor.codec.SbeDirectCodec;
import dev.weir.processor.codec.SbeFormat;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The encodings of a car, which differ in format and in how a handler accesses the fields. */
public enum Encoding {
  /** Simple Binary Encoding, accessed by flyweights on the buffers; allocates nothing. */
  SBE_DIRECT("sbe.direct", SbeDirectCodec::new, SbeFormat::new),
  /** Simple Binary Encoding, decoded into plain objects. */
  SBE_INDIRECT("sbe.indirect", () -> new PlainCodec(new SbeFormat()), SbeFormat::new),
  /** Protocol Buffers, decoded field by field, in the order of the bytes, into plain objects. */
  PROTOBUF_SERIAL(
      "protobuf.serial", () -> new PlainCodec(new ProtobufFormat()), ProtobufFormat::new),
  /** Protocol Buffers, parsed into generated messages, whose getters are read in any order. */
  PROTOBUF_RANDOM("protobuf.random", ProtobufMessageCodec::new, ProtobufFormat::new);

  static final String DEFAULT = "sbe.direct";
  static final String DESCRIPTION =
      "Encoding of cars: sbe.direct, sbe.indirect, protobuf.serial or protobuf.random;"
          + " ${DEFAULT-VALUE} by default. All members and drivers need the same.";

  private final String label;
  private final Supplier<CarCodec> codec;
  private final Supplier<CarFormat> format;

  Encoding(String label, Supplier<CarCodec> codec, Supplier<CarFormat> format) {
    this.label = label;
    this.codec = codec;
    this.format = format;
  }

  /** Creates a codec. Every handler needs its own. */
  public CarCodec newCodec() {
    return codec.get();
  }

  CarFormat newFormat() {
    return format.get();
  }

  /** The name in options and results. */
  @Override
  public String toString() {
    return label;
  }

  /**
   * Returns the encoding with this name.
   *
   * @throws IllegalArgumentException if there is none; the message says which names are allowed
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
          + " (sbe.indirect and protobuf.random read fields in any order, sbe.direct and"
          + " protobuf.serial in the order of the bytes)";
    }
    return "--encoding is "
        + name
        + ", allowed is "
        + Arrays.stream(values()).map(Encoding::toString).collect(Collectors.joining(", "));
  }
}
