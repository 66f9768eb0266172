package dev.weir.state.change;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.EXISTS;
import static dev.weir.state.DocumentFailure.IMMUTABLE;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.REFUSED;
import static dev.weir.state.DocumentFailure.RULE_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;
import static dev.weir.state.DocumentFailure.VERSION_MISMATCH;

import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.state.ActionResult;
import dev.weir.state.Document;
import dev.weir.state.DocumentAction;
import dev.weir.state.DocumentException;
import dev.weir.state.Expected;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.RefusedException;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what an operation does to a document, by the options and the rules of one factory. Any
 * thread; the rules are called on it.
 */
public final class Decider {
  private static final Logger LOG = LoggerFactory.getLogger(Decider.class);

  private final String factory;
  private final FactoryOptions options;
  private final FactoryRules rules;

  public Decider(String factory, FactoryOptions options, FactoryRules rules) {
    this.factory = factory;
    this.options = options;
    this.rules = rules;
  }

  /** Whether operations run code of users. */
  public boolean hasRules() {
    return !rules.isEmpty();
  }

  /**
   * Decides.
   *
   * @param before the state of the key
   * @param floor versions of deleted documents are not above it: a new document gets a higher one
   * @throws DocumentException if the operation fails; the state stays as it is
   */
  public Decision decide(String key, State before, Operation operation, long floor, long nowMs) {
    boolean live = before.isLive(nowMs);
    Expected expected = operation.options().expected();
    if (!expected.isMetBy(live ? before.version() : 0)) {
      throw new DocumentException(
          VERSION_MISMATCH,
          named(key)
              + (live ? " has version " + before.version() : " does not exist")
              + ", expected is "
              + expected);
    }
    return switch (operation.kind()) {
      case GET -> new Decision(before, required(key, before, live), null);
      case CREATE -> {
        if (live) {
          throw new DocumentException(EXISTS, named(key) + " exists");
        }
        yield write(key, before, false, operation, Content.of(operation), floor, nowMs);
      }
      case PUT -> write(key, before, live, operation, Content.of(operation), floor, nowMs);
      case REPLACE -> {
        required(key, before, live);
        yield write(key, before, true, operation, Content.of(operation), floor, nowMs);
      }
      case MERGE -> {
        JsonObject current = required(key, before, live).object();
        JsonObject merged = Patches.merge(current, Content.of(operation).object());
        yield write(key, before, true, operation, Content.of(merged), floor, nowMs);
      }
      case PATCH -> {
        byte[] current = required(key, before, live).json();
        JsonObject patched =
            Patches.patch(current, operation.body(), options.getMaxDocumentBytes());
        yield write(key, before, true, operation, Content.of(patched), floor, nowMs);
      }
      case DELETE -> new Decision(State.ABSENT, required(key, before, live), null);
      case ACT -> act(key, before, live, operation, floor, nowMs);
      case EXPIRE ->
          before.isAbsent() || live
              ? new Decision(before, before, null)
              : new Decision(State.ABSENT, before, null);
    };
  }

  /**
   * The failure of an operation whose body is the document and larger than a document may be,
   * without a look at the state; null for any other. A validator may make a document smaller.
   */
  public DocumentException tooLarge(String key, Operation operation) {
    boolean isDocument =
        switch (operation.kind()) {
          case CREATE, PUT, REPLACE -> true;
          default -> false;
        };
    return isDocument
            && rules.validator() == null
            && operation.bodyBytes() > options.getMaxDocumentBytes()
        ? tooLarge(key, operation.bodyBytes())
        : null;
  }

  private DocumentException tooLarge(String key, int bytes) {
    return new DocumentException(
        TOO_LARGE,
        named(key)
            + " would have "
            + bytes
            + " bytes, allowed are "
            + options.getMaxDocumentBytes());
  }

  private Decision act(
      String key, State before, boolean live, Operation operation, long floor, long nowMs) {
    String name = "action " + operation.action();
    DocumentAction action = rules.action(operation.action());
    if (action == null) {
      throw new DocumentException(BAD_REQUEST, "factory " + factory + " has no " + name);
    }
    JsonObject body = operation.body() == null ? new JsonObject() : Content.of(operation).object();
    Document current = live ? before.document(key) : null;
    ActionResult result = byRule(name, () -> action.run(current, body));
    if (result == null) {
      throw new DocumentException(RULE_FAILED, name + " returned nothing");
    }
    if (result.content() != null) {
      Content content = Content.of(result.content());
      Decision written = write(key, before, live, operation, content, floor, nowMs);
      return new Decision(written.after(), written.shown(), result.reply(), written.created());
    }
    State after = result.deletes() && live ? State.ABSENT : before;
    return new Decision(after, before, result.reply());
  }

  private Decision write(
      String key,
      State before,
      boolean live,
      Operation operation,
      Content content,
      long floor,
      long nowMs) {
    if (live && options.isImmutable()) {
      throw new DocumentException(
          IMMUTABLE, "factory " + factory + " is immutable: " + named(key) + " cannot be changed");
    }
    Content next = checked(live ? before.document(key) : null, content);
    byte[] bytes = next.bytes();
    if (bytes.length > options.getMaxDocumentBytes()) {
      throw tooLarge(key, bytes.length);
    }
    // What has expired may not be deleted yet: its version is not in the floor.
    long last = live ? before.version() : Math.max(floor, before.version());
    State after =
        new State(last + 1, expiresAtMs(before, live, operation, nowMs), bytes, next.format());
    return new Decision(after, after, null, !live);
  }

  private Content checked(Document current, Content content) {
    if (rules.validator() == null) {
      return content;
    }
    JsonObject next = content.object();
    byRule(
        "the validator",
        () -> {
          rules.validator().check(current, next);
          return next;
        });
    return Content.of(next);
  }

  private long expiresAtMs(State before, boolean live, Operation operation, long nowMs) {
    Long asked = operation.options().expiryMs();
    if (asked == null && live && keepsExpiry(operation.kind())) {
      return before.expiresAtMs();
    }
    long afterMs = asked == null ? options.getExpiryMs() : asked;
    return afterMs == 0 ? 0 : nowMs + afterMs;
  }

  private static boolean keepsExpiry(Operation.Kind kind) {
    return kind == Operation.Kind.MERGE
        || kind == Operation.Kind.PATCH
        || kind == Operation.Kind.ACT;
  }

  private static State required(String key, State before, boolean live) {
    if (!live) {
      throw new DocumentException(NOT_FOUND, named(key) + " does not exist");
    }
    return before;
  }

  /** Code of a user. */
  private interface Rule<T> {
    T run() throws RefusedException;
  }

  private <T> T byRule(String what, Rule<T> rule) {
    try {
      return rule.run();
    } catch (RefusedException e) {
      throw new DocumentException(REFUSED, e.getMessage());
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.warn("factory {}: {} failed", factory, what, UserFailure.forLog(e));
      throw new DocumentException(RULE_FAILED, what + " of factory " + factory + " failed", e);
    }
  }

  private static String named(String key) {
    return "document " + key;
  }
}
