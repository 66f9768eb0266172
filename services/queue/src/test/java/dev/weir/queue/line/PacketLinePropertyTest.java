package dev.weir.queue.line;

import dev.weir.queue.QuietLog;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class PacketLinePropertyTest {
  static {
    QuietLog.set();
  }

  @Property(tries = 600, shrinking = ShrinkingMode.OFF)
  void whateverHappensInWhateverOrderMessagesStayInOrderAndCountsStayExact(@ForAll long seed) {
    new PacketLineSimulation(seed, false).run(400);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void whateverHappensDroppingTheOldestStaysWithinTheBudget(@ForAll long seed) {
    new PacketLineSimulation(seed, true).run(400);
  }
}
