package dev.weir.queue.tool;

import static dev.weir.queue.tool.MessageJson.*;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads a line of an export into a message. Used for one line. */
final class MessageParser {
  private static final Set<String> STRINGS = Set.of(QUEUE, STATE, ID, KEY, REASON, TEXT);
  private static final Set<String> NUMBERS =
      Set.of(
          SEQUENCE,
          WRITTEN_AT_MS,
          EXPIRES_AT_MS,
          NOT_BEFORE_MS,
          FIRST_ATTEMPT_AT_MS,
          LAST_ATTEMPT_AT_MS,
          DIED_AT_MS,
          LANE);
  private static final Set<String> COUNTS = Set.of(DELIVERIES, ATTEMPTS);

  private final Map<String, Object> fields = new HashMap<>();

  private MessageParser() {}

  /**
   * Parses a line.
   *
   * @param toQueue the message's queue, or null for the one the line names
   * @throws IllegalArgumentException with what is wrong, in one line
   */
  static StoredMessage parse(String line, String toQueue) {
    MessageParser message = new MessageParser();
    try (JsonParser json = Json.FACTORY.createParser(line)) {
      message.read(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
    }
    return message.get(toQueue);
  }

  private void read(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IllegalArgumentException("no JSON object");
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, value(name, json));
    }
    if (json.nextToken() != null) {
      throw new IllegalArgumentException("more than one JSON object");
    }
  }

  private static Object value(String name, JsonParser json) throws IOException {
    if (STRINGS.contains(name)) {
      return string(name, json);
    }
    if (NUMBERS.contains(name)) {
      return number(name, json);
    }
    if (COUNTS.contains(name)) {
      return count(name, json);
    }
    return switch (name) {
      case TRANSIENT -> bool(name, json);
      case BODY -> binary(name, json);
      default -> throw new IllegalArgumentException("unknown field '" + name + "'");
    };
  }

  private static String string(String name, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, name, "a string");
    return json.getText();
  }

  private static byte[] binary(String name, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, name, "a string in base64");
    try {
      return json.getBinaryValue();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(name + " is not base64", e);
    }
  }

  private static boolean bool(String name, JsonParser json) throws IOException {
    expect(json.currentToken().isBoolean(), name, "true or false");
    return json.getBooleanValue();
  }

  private static long number(String name, JsonParser json) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_NUMBER_INT, name, "a whole number");
    return json.getLongValue();
  }

  private static int count(String name, JsonParser json) throws IOException {
    long value = number(name, json);
    expect(value >= 0 && value <= Integer.MAX_VALUE, name, "0 to " + Integer.MAX_VALUE);
    return (int) value;
  }

  private static void expect(boolean condition, String name, String allowed) {
    if (!condition) {
      throw new IllegalArgumentException(name + " is not " + allowed);
    }
  }

  private static State state(String name) {
    for (State state : State.values()) {
      if (MessageJson.name(state).equals(name)) {
        return state;
      }
    }
    String allowed = Arrays.toString(State.values()).toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException("state is '" + name + "', allowed is one of " + allowed);
  }

  private StoredMessage get(String toQueue) {
    String to = toQueue == null ? text(QUEUE) : toQueue;
    if (to == null || to.isBlank()) {
      throw new IllegalArgumentException("no queue: neither a field 'queue' nor --queue");
    }
    String state = text(STATE);
    return new StoredMessage(
        to,
        state == null ? State.WAITING : state(state),
        (Long) fields.getOrDefault(SEQUENCE, 0L),
        (Integer) fields.getOrDefault(DELIVERIES, 0),
        (Boolean) fields.getOrDefault(TRANSIENT, false),
        (Long) fields.get(WRITTEN_AT_MS),
        body(),
        text(ID),
        text(KEY),
        (Long) fields.get(EXPIRES_AT_MS),
        (Long) fields.get(NOT_BEFORE_MS),
        (Integer) fields.get(ATTEMPTS),
        (Long) fields.get(FIRST_ATTEMPT_AT_MS),
        (Long) fields.get(LAST_ATTEMPT_AT_MS),
        text(REASON),
        (Long) fields.get(DIED_AT_MS),
        (Long) fields.getOrDefault(LANE, 0L));
  }

  private String text(String name) {
    return (String) fields.get(name);
  }

  private byte[] body() {
    byte[] body = (byte[]) fields.get(BODY);
    String text = text(TEXT);
    if (text == null) {
      if (body == null) {
        throw new IllegalArgumentException("no body: neither a field 'body' nor 'text'");
      }
      return body;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (body != null && !Arrays.equals(body, bytes)) {
      throw new IllegalArgumentException("body and text differ");
    }
    return bytes;
  }
}
