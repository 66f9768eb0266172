package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameGateTest {
  private static final int FRAMES_AT_ONCE = 16;

  private boolean paused;
  private final FrameGate gate = new FrameGate(() -> paused);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
              gate.pass(context, (ByteBuf) bytes);
            }
          });

  private static ByteBuf frame(int payloadBytes, int mask) {
    ByteBuf frame = Unpooled.buffer().writeByte(0x82);
    if (payloadBytes < 126) {
      frame.writeByte(mask | payloadBytes);
    } else if (payloadBytes <= 0xFFFF) {
      frame.writeByte(mask | 126).writeShort(payloadBytes);
    } else {
      frame.writeByte(mask | 127).writeLong(payloadBytes);
    }
    return frame.writeZero((mask == 0 ? 0 : 4) + payloadBytes);
  }

  private ByteBuf passed() {
    return (ByteBuf) channel.readInbound();
  }

  @Test
  void someFramesArePassedOnAtATimeWhateverTheirSize() {
    for (int payload : new int[] {0, 1, 125, 126, 0xFFFF, 0x10000}) {
      ByteBuf all = Unpooled.buffer();
      for (int i = 0; i < 2 * FRAMES_AT_ONCE + 1; i++) {
        all.writeBytes(frame(payload, 0x80));
      }
      int frameBytes = all.readableBytes() / (2 * FRAMES_AT_ONCE + 1);
      channel.writeInbound(all);
      assertThat(passed().readableBytes()).isEqualTo(FRAMES_AT_ONCE * frameBytes);
      assertThat(passed().readableBytes()).isEqualTo(FRAMES_AT_ONCE * frameBytes);
      assertThat(passed().readableBytes()).isEqualTo(frameBytes);
      assertThat(channel.<ByteBuf>readInbound()).isNull();
    }
  }

  @Test
  void nothingIsLostOrMovedWhereverReadsEnd() {
    Random random = new Random(4711);
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < 1_000; i++) {
      int size = random.nextInt(4) == 0 ? random.nextInt(70_000) : random.nextInt(10);
      all.writeBytes(frame(size, random.nextBoolean() ? 0x80 : 0));
    }
    ByteBuf sent = all.copy();
    ByteBuf received = Unpooled.buffer(all.readableBytes());
    while (all.isReadable()) {
      int bytes = 1 + random.nextInt(random.nextInt(10) == 0 ? 20_000 : 30);
      channel.writeInbound(all.readBytes(Math.min(all.readableBytes(), bytes)));
      for (ByteBuf some = passed(); some != null; some = passed()) {
        received.writeBytes(some);
      }
    }
    assertThat(received).isEqualTo(sent);
  }

  @Test
  void aPausedSocketPassesOnNothingUntilItIsReadAgain() {
    ByteBuf all = Unpooled.buffer();
    paused = true;
    for (int i = 0; i < 3; i++) {
      all.writeBytes(frame(3, 0x80));
      channel.writeInbound(frame(3, 0x80));
      assertThat(channel.<ByteBuf>readInbound()).isNull();
    }
    assertThat(gate.isWaiting()).isTrue();
    paused = false;
    gate.passOn(channel.pipeline().firstContext());
    assertThat(passed()).isEqualTo(all);
    assertThat(gate.isWaiting()).isFalse();
    paused = true;
    ByteBuf kept = frame(1, 0x80);
    channel.writeInbound(kept);
    gate.release();
    assertThat(kept.refCnt()).isZero();
  }
}
