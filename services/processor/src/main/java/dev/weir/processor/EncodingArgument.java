package dev.weir.processor;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** How cars are encoded: members and drivers must agree. */
final class EncodingArgument {
  @Option(
      names = "--encoding",
      defaultValue = "sbe.direct",
      converter = Converter.class,
      description =
          "sbe.direct, sbe.indirect, protobuf.serial or protobuf.random; ${DEFAULT-VALUE} by"
              + " default.")
  Encoding value;

  static final class Converter implements ITypeConverter<Encoding> {
    @Override
    public Encoding convert(String value) {
      return Encoding.parse(value);
    }
  }
}
