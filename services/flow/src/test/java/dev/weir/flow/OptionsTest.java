package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.DeliveryOrder;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest extends FlowTestBase {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"workers\":-1}             | workers is -1, allowed is 1 to 1000000",
        "{\"workers\":0}              | workers is 0, allowed is 1 to 1000000",
        "{\"workers\":\"many\"}       | workers is many, allowed is a whole number",
        "{\"workers\":99999999999}    | workers is 99999999999, allowed is",
        "{\"memoryMessages\":-5}      | memoryMessages is -5, allowed is 0 to 2147483647",
        "{\"memoryBytes\":-5}         | memoryBytes is -5, allowed is 0 to",
        "{\"diskBytes\":-5}           | diskBytes is -5, allowed is 0 to",
        "{\"writeBufferBytes\":1}     | writeBufferBytes is 1, allowed is 1024 to",
        "{\"maxMessageBytes\":0}      | maxMessageBytes is 0, allowed is 1 to 536870912",
        "{\"drainTimeoutMs\":-1}      | drainTimeoutMs is -1, allowed is 0 to",
        "{\"maxAttempts\":0}         | maxAttempts is 0, allowed is 1 to 127",
        "{\"backoffMs\":-1}          | backoffMs is -1, allowed is 0 to",
        "{\"maxBackoffMs\":-1}       | maxBackoffMs is -1, allowed is 0 to",
        "{\"dedupMaxIds\":-1}        | dedupMaxIds is -1, allowed is 0 to 10000000",
        "{\"dedupWindowMs\":0}       | dedupWindowMs is 0, allowed is 1 to",
        "{\"policy\":\"LOSE\"}        | policy is LOSE, allowed is one of [FAIL, BLOCK,",
        "{\"policy\":null}            | policy is null, allowed is one of",
        "{\"order\":\"ANY\"}          | order is ANY, allowed is one of [NONE, KEY, QUEUE",
        "{\"runOn\":\"MOON\"}         | runOn is MOON, allowed is one of [EVENT_LOOP, WORKER,",
        "{\"writeThrough\":\"maybe\"} | writeThrough is maybe, allowed is true or false",
        "{\"wrokers\":1}              | unknown option wrokers, known are backoffMs, deadLetters,"
      })
  void aBadServiceOptionIsNamedWithItsValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> new ServiceOptions(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"backoffMs\":60001}" + "| backoffMs is 60001, allowed is 0 to maxBackoffMs (60000)",
        "{\"backoffMs\":11,\"maxBackoffMs\":10,\"diskBytes\":0}"
            + "| backoffMs is 11, allowed is 0 to maxBackoffMs (10)",
        "{\"order\":\"KEY\",\"diskBytes\":0}"
            + "| order is KEY, allowed is NONE with diskBytes 0, which takes no durable messages",
        "{\"delayMs\":50,\"expiresInMs\":50}"
            + "| expiresInMs is 50, allowed is 0, or more than delayMs, 50",
      })
  void optionsOfAServiceThatContradictEachOtherAreNamed(String json, String message) {
    JsonObject wrong = new JsonObject(json);
    assertThatThrownBy(() -> new ServiceOptions(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);

    // Setters are called in any order, so only who serves them can refuse them.
    ServiceOptions set = new ServiceOptions();
    set.setBackoffMs(wrong.getLong("backoffMs", set.getBackoffMs()))
        .setMaxBackoffMs(wrong.getLong("maxBackoffMs", set.getMaxBackoffMs()))
        .setDelayMs(wrong.getLong("delayMs", 0L))
        .setExpiresInMs(wrong.getLong("expiresInMs", 0L))
        .setOrder(DeliveryOrder.valueOf(wrong.getString("order", "NONE")))
        .setDiskBytes(wrong.getLong("diskBytes", set.getDiskBytes()));
    Weir weir = weir();
    List<Future<Service>> refused =
        List.of(
            weir.serve("x", set, handled -> Future.succeededFuture()),
            weir.serve("x", String.class, set, handled -> Future.succeededFuture()),
            weir.serveBatches("x", set, 1, handled -> Future.succeededFuture()),
            weir.remote().serve("x", set));
    for (Future<Service> serving : refused) {
      assertThat(Futures.failure("serve", serving))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"directory\":\"\"}     | directory is blank, allowed is a path",
        "{\"directory\":7}        | directory is 7, allowed is a text",
        "{\"cacheBytes\":1}       | cacheBytes is 1, allowed is 4194304 to",
        "{\"logFileBytes\":1}     | logFileBytes is 1, allowed is 1048576 to",
        "{\"minFreeBytes\":1}     | minFreeBytes is 1, allowed is 1048576 to",
        "{\"packetBytes\":1}      | packetBytes is 1, allowed is 1024 to",
        "{\"ackFlushMs\":0}       | ackFlushMs is 0, allowed is 1 to 60000",
        "{\"dir\":\"x\"}          | unknown option dir, known are ackFlushMs,"
      })
  void aBadWeirOptionIsNamedWithItsValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> new WeirOptions(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void optionsSurviveJson() {
    JsonObject service = new ServiceOptions().setWorkers(3).setWriteThrough(true).toJson();
    assertThat(new ServiceOptions(service).toJson()).isEqualTo(service);
    JsonObject weir = new WeirOptions().setDirectory("d").setAckFlushMs(7).toJson();
    assertThat(new WeirOptions(weir).toJson()).isEqualTo(weir);
    assertThat(new WeirOptions().toJson().containsKey("directory")).isFalse();
  }

  @Test
  void aDirectoryThatCannotBeUsedFailsTheServeWithOneLine() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Weir weir = weir(new WeirOptions().setDirectory(file.resolve("below").toString()));
    Throwable cause =
        Futures.failure(
            "serve", weir.serve("x", new ServiceOptions(), m -> Future.succeededFuture()));
    assertThat(cause).hasMessageContaining("below cannot be used").hasMessageNotContaining("\n");
  }

  @Test
  void aDirectoryInUseFailsTheServeWithOneLine() {
    serve(weir(), "x", new ServiceOptions(), m -> Future.succeededFuture());
    Throwable cause =
        Futures.failure(
            "serve", weir().serve("y", new ServiceOptions(), m -> Future.succeededFuture()));
    assertThat(cause).hasMessageContaining("is in use by");
  }

  @Test
  void aDirectoryOfANewerFormatFailsTheServeWithOneLine() throws Exception {
    Files.writeString(directory.resolve("weir.format"), "4\n");
    Throwable cause =
        Futures.failure(
            "serve", weir().serve("x", new ServiceOptions(), m -> Future.succeededFuture()));
    assertThat(cause).hasMessageContaining("has format 4, this version reads up to 3");
  }

  @Test
  void aBlankAddressAndNullsAreRefused() {
    Weir weir = weir();
    assertThat(Futures.failure("blank", weir.serve(" ", new ServiceOptions(), m -> null)))
        .hasMessage("address is blank, allowed is any other text");
    assertThat(Futures.failure("null", weir.serve(null, new ServiceOptions(), m -> null)))
        .hasMessage("address must not be null");
    assertThat(Futures.failure("null", weir.serve("x", null, m -> null)))
        .hasMessage("options must not be null");
    assertThat(Futures.failure("null", weir.serve("x", new ServiceOptions(), null)))
        .hasMessage("handler must not be null");
  }
}
