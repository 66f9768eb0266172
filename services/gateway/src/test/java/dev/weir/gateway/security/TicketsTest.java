package dev.weir.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.security.Tickets.Holder;
import org.junit.jupiter.api.Test;

class TicketsTest {
  private final Tickets tickets = new Tickets();
  private final Holder alice = new Holder("alice", new byte[] {1}, null);

  @Test
  void aTicketIsOfUseOnceAndForAShortTime() {
    String one = tickets.issue(alice, 0);
    String two = tickets.issue(alice, 0);
    assertThat(one).isNotEqualTo(two).hasSize(32);
    assertThat(tickets.redeem(one, Tickets.LIFE_MS - 1)).isSameAs(alice);
    assertThat(tickets.redeem(one, Tickets.LIFE_MS - 1)).isNull();
    assertThat(tickets.redeem(two, Tickets.LIFE_MS)).isNull();
  }

  @Test
  void theyAreBoundedForAClientAndForAll() {
    for (int i = 0; i < Tickets.MAX_TICKETS_OF_A_CLIENT; i++) {
      assertThat(tickets.issue(alice, 0)).isNotNull();
    }
    assertThat(tickets.issue(alice, 0)).isNull();
    int issued = Tickets.MAX_TICKETS_OF_A_CLIENT;
    while (tickets.issue(new Holder("client " + issued, null, null), 0) != null) {
      issued++;
    }
    assertThat(issued).isEqualTo(Tickets.MAX_TICKETS);
    assertThat(tickets.issue(alice, Tickets.LIFE_MS)).isNotNull();
  }
}
