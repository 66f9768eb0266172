package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Reads a line of an export into a message. Used for one line. */
final class MessageParser {
  private final Map<MessageField, Object> fields = new EnumMap<>(MessageField.class);

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
      MessageField field = MessageField.of(json.currentName());
      json.nextToken();
      fields.put(field, field.read(json));
    }
    if (json.nextToken() != null) {
      throw new IllegalArgumentException("more than one JSON object");
    }
  }

  private static State state(String name) {
    for (State state : State.values()) {
      if (MessageField.name(state).equals(name)) {
        return state;
      }
    }
    String allowed = Arrays.toString(State.values()).toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException("state is '" + name + "', allowed is one of " + allowed);
  }

  private StoredMessage get(String toQueue) {
    String to = toQueue == null ? text(MessageField.QUEUE) : toQueue;
    if (to == null || to.isBlank()) {
      throw new IllegalArgumentException("no queue: neither a field 'queue' nor --queue");
    }
    String state = text(MessageField.STATE);
    return new StoredMessage(
        to,
        state == null ? State.WAITING : state(state),
        (Long) fields.getOrDefault(MessageField.SEQUENCE, 0L),
        (Integer) fields.getOrDefault(MessageField.DELIVERIES, 0),
        (Boolean) fields.getOrDefault(MessageField.TRANSIENT, false),
        (Long) fields.get(MessageField.WRITTEN_AT_MS),
        body(),
        text(MessageField.ID),
        text(MessageField.KEY),
        (Long) fields.get(MessageField.EXPIRES_AT_MS),
        (Long) fields.get(MessageField.NOT_BEFORE_MS),
        (Integer) fields.get(MessageField.ATTEMPTS),
        (Long) fields.get(MessageField.FIRST_ATTEMPT_AT_MS),
        (Long) fields.get(MessageField.LAST_ATTEMPT_AT_MS),
        text(MessageField.REASON),
        (Long) fields.get(MessageField.DIED_AT_MS),
        (Long) fields.getOrDefault(MessageField.LANE, 0L));
  }

  private String text(MessageField field) {
    return (String) fields.get(field);
  }

  private byte[] body() {
    byte[] body = (byte[]) fields.get(MessageField.BODY);
    String text = text(MessageField.TEXT);
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
