package dev.weir.flow.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.impl.ForwardedMessage;
import dev.weir.flow.remote.Protocol.Renewal;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.MessageCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumersTest {
  private static final long LEASE_MS = 1_000;

  private record Plain(int deliveryCount) implements ForwardedMessage {
    @Override
    public MessageCodec<Object, Object> codec() {
      return null;
    }

    @Override
    public boolean isGivenUp() {
      return false;
    }

    @Override
    public Object body() {
      return null;
    }

    @Override
    public MultiMap headers() {
      return MultiMap.caseInsensitiveMultiMap();
    }

    @Override
    public String address() {
      return "orders";
    }

    @Override
    public boolean isRequest() {
      return false;
    }

    @Override
    public String id() {
      return null;
    }
  }

  private final Consumers consumers = new Consumers();
  private long nextOrder;

  private OutMessage message() {
    OutMessage message = new OutMessage(new Plain(1), nextOrder++);
    consumers.await(message);
    return message;
  }

  private static Renewal renewal(String address, int credits, Set<Long> held) {
    return new Renewal(address, null, credits, LEASE_MS, held, Long.MAX_VALUE, false);
  }

  private KnownConsumer join(String address, int credits) {
    return consumers.join(renewal(address, credits, Set.of()), 0);
  }

  @Test
  void consumersWithFreeCreditsTakeTurns() {
    KnownConsumer small = join("small", 1);
    KnownConsumer large = join("large", 3);
    List<KnownConsumer> given = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      message();
      OutMessage out = consumers.assign();
      if (out != null) {
        given.add(out.at);
      }
    }
    assertThat(given).containsExactly(large, small, large, large);
    assertThat(consumers.limit()).isEqualTo(4);
  }

  @Test
  void creditsOfManyConsumersDoNotOverflow() {
    join("a", Integer.MAX_VALUE);
    join("b", Integer.MAX_VALUE);
    assertThat(consumers.limit()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aSilentConsumerHasMissedTwoRenewals() {
    KnownConsumer consumer = join("a", 1);
    assertThat(consumer.isSilent(LEASE_MS * 499_999)).isFalse();
    assertThat(consumer.isSilent(LEASE_MS * 500_001)).isTrue();
  }

  /** Whatever happens: each message is in one place, in order, and within the credits. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void noMessageIsLostOrOutTwiceOrOverTheCredits(long seed) {
    Random random = new Random(seed);
    Set<OutMessage> waiting = new HashSet<>();
    Set<OutMessage> out = new HashSet<>();
    List<KnownConsumer> there = new ArrayList<>();
    TreeSet<Long> numbers = new TreeSet<>();
    int ended = 0;
    int joined = 0;
    for (int step = 0; step < 4_000; step++) {
      KnownConsumer any = there.isEmpty() ? null : there.get(random.nextInt(there.size()));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> waiting.add(message());
        case 3, 4 -> {
          for (OutMessage each : List.copyOf(out)) {
            if (random.nextBoolean() && each.at.take(each.number) == each) {
              out.remove(each);
              ended++;
            }
          }
        }
        case 5 -> {
          if (there.size() < 5) {
            there.add(join("c" + joined++, random.nextInt(10)));
          }
        }
        case 6 -> {
          if (any != null) {
            if (random.nextInt(3) == 0) {
              there.remove(any);
              consumers.leave(any).forEach(each -> back(each, random, waiting, out));
            } else {
              // It has some of its messages, and some that others have now.
              Set<Long> held = new HashSet<>();
              numbers.forEach(
                  number -> {
                    if (random.nextInt(1_000) == 0) {
                      held.add(number);
                    }
                  });
              out.stream().filter(each -> each.at == any).forEach(each -> held.add(each.number));
              assertThat(any.renew(renewal(any.address, random.nextInt(10), held), 0)).isEmpty();
            }
          }
        }
        default -> {
          out.stream()
              .filter(each -> random.nextInt(10) == 0)
              .toList()
              .forEach(
                  each -> {
                    each.at.block();
                    each.at.take(each.number);
                    back(each, random, waiting, out);
                  });
        }
      }
      for (OutMessage next = consumers.assign(); next != null; next = consumers.assign()) {
        assertThat(waiting.remove(next)).isTrue();
        assertThat(out.add(next)).isTrue();
        assertThat(numbers.add(next.number)).isTrue();
        long order = next.order;
        assertThat(waiting).allMatch(later -> later.order > order);
        KnownConsumer at = next.at;
        assertThat(out.stream().filter(each -> each.at == at).count())
            .isLessThanOrEqualTo(at.limit());
        assertThat(there).contains(at);
      }
      boolean free = there.stream().anyMatch(consumer -> consumer.isFree(false));
      boolean suspect = waiting.stream().anyMatch(OutMessage::isSuspect);
      assertThat(free && !waiting.isEmpty() && !suspect).isFalse();
    }
    assertThat(waiting.size() + out.size() + ended).isEqualTo((int) nextOrder);
    assertThat(ended).isPositive();
  }

  private void back(
      OutMessage message, Random random, Set<OutMessage> waiting, Set<OutMessage> out) {
    assertThat(out.remove(message)).isTrue();
    if (random.nextBoolean() && !message.isSuspect()) {
      message.countLoss();
    }
    consumers.await(message);
    waiting.add(message);
  }
}
