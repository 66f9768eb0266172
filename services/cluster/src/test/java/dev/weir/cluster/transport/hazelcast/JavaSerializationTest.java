package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.Threads;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class JavaSerializationTest {
  static {
    QuietLog.set();
  }

  /** What an attacker looks for: a class that does something when it is made of bytes. */
  private static final class Gadget implements Serializable {
    static final AtomicInteger MADE = new AtomicInteger();
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      MADE.incrementAndGet();
    }
  }

  @Test
  void aMemberMakesObjectsOfHazelcastAndPlainOnesOfTheJdkOnly() throws Exception {
    NodeOptions options = new NodeOptions().setMemberName("a").setPort(FreePorts.one());
    HazelcastMembers members =
        new HazelcastMembers(options, 1, new InetSocketAddress("127.0.0.1", 9), config -> {});
    try {
      IMap<String, Object> map = members.hazelcast().getMap("objects");
      map.set("failure", new IOException("disk"));
      map.set("gadget", new Gadget());
      map.set("hidden", List.of(new Gadget()));
      map.set("array", new Gadget[] {new Gadget()});
      map.set("url", List.of(new URI("http://localhost/").toURL()));

      assertThat(map.get("failure")).isInstanceOf(IOException.class);
      for (String key : List.of("gadget", "hidden", "array", "url")) {
        assertThatThrownBy(() -> map.get(key))
            .as(key)
            .isInstanceOfAny(HazelcastSerializationException.class, SecurityException.class)
            .hasStackTraceContaining("is not allowed");
      }
      assertThat(Gadget.MADE).hasValue(0);
    } finally {
      members.close();
    }
    Await.until("threads end", () -> Threads.alive().isEmpty());
  }
}
