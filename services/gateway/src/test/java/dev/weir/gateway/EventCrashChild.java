package dev.weir.gateway;

import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The process that {@link EventCrashTest} kills: a durable service behind a gateway. Prints lines:
 *
 * <pre>
 * P port       it listens
 * H id body    a message is started; printed before it is acknowledged
 * X text       what must not happen
 * </pre>
 */
final class EventCrashChild {
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private EventCrashChild() {}

  /**
   * @param args the directory
   */
  public static void main(String[] args) {
    new EventCrashChild().start(args[0]);
  }

  private void start(String directory) {
    Vertx vertx = Vertx.vertx();
    Weir weir =
        Weir.create(vertx, new WeirOptions().setDirectory(directory).setMinFreeBytes(1 << 20));
    weir.serve("work", new ServiceOptions(), this::handle)
        .compose(service -> Gateway.start(vertx, weir, new GatewayOptions().setPort(0)))
        .onSuccess(gateway -> print("P " + gateway.port()))
        .onFailure(failure -> print("X " + failure));
  }

  private Future<?> handle(ServiceMessage<Object> message) {
    print("H " + message.id() + " " + message.body());
    return Future.succeededFuture();
  }

  /** In one write and at once: what is printed outlives a kill, and no line is cut. */
  private void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Nobody listens any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
