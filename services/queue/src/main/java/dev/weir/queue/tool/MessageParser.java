package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Reads a line of an export. Use one per line. */
final class MessageParser {
  private String queue;
  private State state = State.WAITING;
  private long sequence;
  private int deliveries;
  private boolean ofNoUse;
  private Long writtenAtMs;
  private byte[] body;
  private String text;
  private String id;
  private String key;
  private Long expiresAtMs;
  private Long notBeforeMs;
  private Integer attempts;
  private Long firstAttemptAtMs;
  private Long lastAttemptAtMs;
  private String reason;
  private Long diedAtMs;
  private long lane;

  private MessageParser() {}

  /**
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
      read(name, json);
    }
    if (json.nextToken() != null) {
      throw new IllegalArgumentException("more than one JSON object");
    }
  }

  private void read(String name, JsonParser json) throws IOException {
    switch (name) {
      case MessageJson.QUEUE -> queue = string(name, json);
      case MessageJson.STATE -> state = state(string(name, json));
      case MessageJson.SEQUENCE -> sequence = number(name, json);
      case MessageJson.DELIVERIES -> deliveries = count(name, json);
      case MessageJson.TRANSIENT -> ofNoUse = bool(name, json);
      case MessageJson.WRITTEN_AT_MS -> writtenAtMs = number(name, json);
      case MessageJson.ID -> id = string(name, json);
      case MessageJson.KEY -> key = string(name, json);
      case MessageJson.EXPIRES_AT_MS -> expiresAtMs = number(name, json);
      case MessageJson.NOT_BEFORE_MS -> notBeforeMs = number(name, json);
      case MessageJson.ATTEMPTS -> attempts = count(name, json);
      case MessageJson.FIRST_ATTEMPT_AT_MS -> firstAttemptAtMs = number(name, json);
      case MessageJson.LAST_ATTEMPT_AT_MS -> lastAttemptAtMs = number(name, json);
      case MessageJson.REASON -> reason = string(name, json);
      case MessageJson.DIED_AT_MS -> diedAtMs = number(name, json);
      case MessageJson.LANE -> lane = number(name, json);
      case MessageJson.BODY -> body = binary(name, json);
      case MessageJson.TEXT -> text = string(name, json);
      default -> throw new IllegalArgumentException("unknown field '" + name + "'");
    }
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
    String to = toQueue == null ? queue : toQueue;
    if (to == null || to.isBlank()) {
      throw new IllegalArgumentException("no queue: neither a field 'queue' nor --queue");
    }
    if (body == null && text == null) {
      throw new IllegalArgumentException("no body: neither a field 'body' nor 'text'");
    }
    byte[] bytes = text == null ? body : text.getBytes(StandardCharsets.UTF_8);
    if (body != null && !Arrays.equals(body, bytes)) {
      throw new IllegalArgumentException("body and text differ");
    }
    return new StoredMessage(
        to,
        state,
        sequence,
        deliveries,
        ofNoUse,
        writtenAtMs,
        bytes,
        id,
        key,
        expiresAtMs,
        notBeforeMs,
        attempts,
        firstAttemptAtMs,
        lastAttemptAtMs,
        reason,
        diedAtMs,
        lane);
  }
}
