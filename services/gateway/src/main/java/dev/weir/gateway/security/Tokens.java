package dev.weir.gateway.security;

import dev.weir.gateway.TokenOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** The tokens of each kind, from files and the environment; the files are read again. */
public final class Tokens {
  private final Vertx vertx;
  private final TokenOptions options;
  private final Map<TokenKind, TokenSet> fromEnvironment = new EnumMap<>(TokenKind.class);
  private final List<WatchedFiles> files = new ArrayList<>();
  private final Map<TokenKind, List<Buffer>> firstContents = new EnumMap<>(TokenKind.class);
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Map<TokenKind, TokenSet> valid = Map.of();

  private Tokens(Vertx vertx, TokenOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /**
   * @param environment from a variable's name to its value or null
   * @return fails if a file cannot be read, or if a source that is named has no good token
   */
  public static Future<Tokens> load(
      Vertx vertx, TokenOptions options, UnaryOperator<String> environment) {
    Tokens tokens = new Tokens(vertx, options);
    List<Future<Void>> reads = new ArrayList<>();
    try {
      for (TokenKind kind : TokenKind.values()) {
        tokens.fromEnvironment.put(kind, variable(kind, environment));
        tokens.put(kind, TokenSet.EMPTY);
        if (tokens.file(kind) != null) {
          reads.add(tokens.readFirst(kind));
        }
      }
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return Future.all(reads).map(tokens);
  }

  /** Null if the options name no file for this kind. */
  private String file(TokenKind kind) {
    return switch (kind) {
      case DATA -> options.getDataTokensFile();
      case ADMIN -> options.getAdminTokensFile();
      case METRICS -> options.getMetricsTokensFile();
    };
  }

  private static TokenSet variable(TokenKind kind, UnaryOperator<String> environment) {
    String value = environment.apply(kind.variable());
    return value == null || value.isBlank()
        ? TokenSet.EMPTY
        : TokenSet.ofList("the environment variable " + kind.variable(), value);
  }

  private Future<Void> readFirst(TokenKind kind) {
    return WatchedFiles.read(vertx, List.of(file(kind)))
        .compose(
            contents -> {
              firstContents.put(kind, contents);
              return use(kind, contents);
            });
  }

  private Future<Void> use(TokenKind kind, List<Buffer> contents) {
    try {
      put(kind, TokenSet.ofLines(file(kind), contents.get(0).toString()));
      listeners.forEach(Runnable::run);
      return Future.succeededFuture();
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized void put(TokenKind kind, TokenSet fromFile) {
    Map<TokenKind, TokenSet> next = new EnumMap<>(TokenKind.class);
    next.putAll(valid);
    next.put(kind, fromEnvironment.get(kind).and(fromFile));
    valid = next;
  }

  /** Calls back, on any thread, when other tokens are valid than before. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  public void watch() {
    firstContents.forEach(
        (kind, contents) -> {
          WatchedFiles watched =
              new WatchedFiles(
                  vertx,
                  "Tokens for " + kind.label(),
                  List.of(file(kind)),
                  contents,
                  read -> use(kind, read));
          files.add(watched);
          watched.watchEvery(options.getReloadIntervalMs());
        });
  }

  public TokenSet of(TokenKind kind) {
    return valid.get(kind);
  }

  /** Whether there is a token of any kind. */
  boolean any() {
    return valid.values().stream().anyMatch(tokens -> !tokens.isEmpty());
  }

  /** See {@link WatchedFiles#reload()}; true if any had something new. */
  public Future<Boolean> reload() {
    return Future.join(files.stream().map(WatchedFiles::reload).toList())
        .map(all -> all.<Boolean>list().contains(true));
  }

  public void close() {
    files.forEach(WatchedFiles::close);
  }
}
