package dev.weir.processor;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.Arrays;

/** The packed numbers of a car. */
final class ProtobufNumbers {
  private int[] numbers = new int[Samples.NUMBERS];

  int[] decode(CodedInputStream in) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    int count = 0;
    while (!in.isAtEnd()) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = in.readSInt32();
    }
    in.popLimit(outer);
    return Arrays.copyOf(numbers, count);
  }
}
