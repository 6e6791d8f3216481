/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.TestAllocators;
import dev.cistern.buffer.Unpooled;
import dev.cistern.buffer.UnpooledDirectByteBuf;
import dev.cistern.buffer.Unwatched;
import dev.cistern.fixture.Garbage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the memory that an idle outbound buffer and a write need. */
@Tag("H1")
@Unwatched("a watched buffer records its uses, which makes garbage")
class OutboundMemoryTest extends OutboundContract {
  private static final int CONNECTIONS = 10_000;
  private static final int MAX_CONNECTION_BYTES = 100;
  private static final int MANY_CONNECTIONS = 200_000;
  private static final int MESSAGES = 100;
  private static final int ROUNDS = 2_000;
  private static final int MAX_TRIES = 20;
  private static final int COMPONENTS = 10_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Channel that accepts all bytes, and keeps nothing. */
  private final DirectOnly sink =
      new DirectOnly() {
        @Override
        void take(ByteBuffer piece) {
          piece.position(piece.limit());
        }
      };

  @Test
  void anIdleConnectionCostsLessThan100Bytes() throws IOException {
    OutboundBuffer[] connections = new OutboundBuffer[CONNECTIONS];
    ReceiveSizer[] sizers = new ReceiveSizer[CONNECTIONS];
    ReceiveSizePolicy sizing = ReceiveSizePolicy.adaptive();
    // Loads the classes that it needs, too.
    connections[0] = outbound(SETTINGS);
    sizers[0] = sizing.newSizer();
    long before = allocatedBytes();
    for (int i = 0; i < CONNECTIONS; i++) {
      connections[i] = outbound(SETTINGS);
    }
    double outboundBytes = (double) (allocatedBytes() - before) / CONNECTIONS;
    before = allocatedBytes();
    for (int i = 0; i < CONNECTIONS; i++) {
      sizers[i] = sizing.newSizer();
    }
    double sizerBytes = (double) (allocatedBytes() - before) / CONNECTIONS;
    System.out.printf(
        Locale.ROOT,
        "an idle connection: outbound buffer %.1f bytes, receive sizer %.1f bytes%n",
        outboundBytes,
        sizerBytes);
    assertThat(outboundBytes).isPositive().isLessThan(MAX_CONNECTION_BYTES);
    assertThat(outboundBytes + sizerBytes).isLessThan(2 * MAX_CONNECTION_BYTES);
  }

  @Test
  void aConnectionThatIsIdleAgainHoldsNothing() throws Exception {
    WeakReference<ByteBuf> message = writtenAndForgotten();
    Garbage.collect();
    assertThat(message.get()).isNull();
    assertThat(outbound.pendingMessages()).isZero();
  }

  private WeakReference<ByteBuf> writtenAndForgotten() throws IOException {
    ByteBuf message = TestAllocators.UNPOOLED.directBuffer().writeZero(10);
    outbound.write(message, events.listener("it"));
    outbound.flush();
    outbound.writeTo(channel);
    return new WeakReference<>(message);
  }

  @Test
  void messagesOfAnAbandonedBufferAreNotKept() throws Exception {
    WeakReference<ByteBuf> message = abandoned();
    Garbage.collect();
    assertThat(message.get()).isNull();
  }

  /** Writes a message whose memory needs no release. */
  private static WeakReference<ByteBuf> abandoned() {
    ByteBuf message = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(10));
    new OutboundBuffer(SETTINGS, OutboundListener.NONE).write(message);
    return new WeakReference<>(message);
  }

  @Test
  void writingDirectBuffersMakesNoGarbage() throws IOException {
    assertNoGarbage(() -> TestAllocators.POOLED.directBuffer(64).writeZero(50));
  }

  @Test
  void writingOneSharedBufferMakesNoGarbage() throws IOException {
    ByteBuf shared = TestAllocators.POOLED.directBuffer(64).writeZero(50);
    assertNoGarbage(shared::retain);
    shared.release();
  }

  @Test
  void writingHeapBuffersMakesNoGarbage() throws IOException {
    assertNoGarbage(() -> TestAllocators.POOLED.heapBuffer(64).writeZero(50));
  }

  /**
   * Asserts that a write allocates nothing. The least of several measurements counts, because code
   * that is compiled late allocates at first.
   */
  private void assertNoGarbage(Supplier<ByteBuf> messages) throws IOException {
    assertNoGarbage(messages, null);
  }

  private void assertNoGarbage(Supplier<ByteBuf> messages, @Nullable WriteListener listener)
      throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < MAX_TRIES && least > 0; i++) {
      long before = allocatedBytes();
      for (int round = 0; round < ROUNDS; round++) {
        for (int message = 0; message < MESSAGES; message++) {
          outbound.write(messages.get(), listener);
        }
        outbound.flush();
        outbound.writeTo(sink);
      }
      least = Math.min(least, allocatedBytes() - before);
    }
    assertThat(least).as("bytes for %d messages", ROUNDS * MESSAGES).isZero();
    assertThat(outbound.pendingMessages()).isZero();
  }

  /** Tests listeners that write to another buffer, as a proxy does. */
  @Test
  void writingFromAListenerMakesNoGarbage() throws IOException {
    OutboundBuffer behind = outbound(SETTINGS);
    WriteListener relay =
        failure -> {
          behind.write(TestAllocators.POOLED.directBuffer(64).writeZero(50));
          behind.write(TestAllocators.POOLED.directBuffer(64).writeZero(50));
          behind.flush();
          writeToSink(behind);
        };
    assertNoGarbage(() -> TestAllocators.POOLED.directBuffer(64).writeZero(50), relay);
  }

  private void writeToSink(OutboundBuffer from) {
    try {
      from.writeTo(sink);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void theMemoryKeptAfterABurstIsLimited() {
    for (int i = 0; i < 3 * FreeEntries.MAX; i++) {
      outbound.write(direct(""));
    }
    outbound.close();
    assertThat(FreeEntries.current().count()).isEqualTo(FreeEntries.MAX);
  }

  /** Component of a composite that counts how often a NIO buffer of it is made. */
  private static final class Counted extends UnpooledDirectByteBuf {
    int nioBuffers;

    Counted() {
      super(TestAllocators.UNPOOLED, Long.BYTES, Long.BYTES);
      writeLong(42);
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
      nioBuffers++;
      return super.nioBuffer(index, length);
    }
  }

  /** Returns the composite, a slice, a wrapper, and a composite with it as a component. */
  static Stream<Function<ByteBuf, ByteBuf>> ofAComposite() {
    return Stream.of(
        composite -> composite,
        composite -> composite.slice(0, composite.readableBytes()),
        Unpooled::wrappedUnmodifiableBuffer,
        composite ->
            new CompositeByteBuf(TestAllocators.POOLED, true, 4)
                .addComponents(true, direct("head"), composite));
  }

  @ParameterizedTest
  @MethodSource("ofAComposite")
  void aWriteMakesNioBuffersOnlyOfTheComponentsItReaches(Function<ByteBuf, ByteBuf> message)
      throws IOException {
    CompositeByteBuf composite =
        new CompositeByteBuf(TestAllocators.POOLED, true, Integer.MAX_VALUE);
    List<Counted> components = new ArrayList<>();
    for (int i = 0; i < COMPONENTS; i++) {
      components.add(new Counted());
      composite.addComponent(true, components.get(i));
    }
    outbound.write(message.apply(composite));
    outbound.flush();
    // Each write ends within a component, so that the next one has to start there.
    channel.appetite = offered -> offered > Long.BYTES ? offered - Long.BYTES / 2 : offered;
    int made = 0;
    while (outbound.writeTo(channel) != WriteProgress.ALL_WRITTEN) {
      assertThat(channel.lastBuffers).isLessThanOrEqualTo(SETTINGS.maxBuffersPerWrite());
    }
    for (Counted component : components) {
      assertThat(component.nioBuffers).isBetween(1, 2);
      made += component.nioBuffers;
    }
    assertThat(made).isLessThanOrEqualTo(COMPONENTS + channel.writes);
  }

  @Test
  void aConnectionThatWroteCostsNoMore() throws Exception {
    OutboundBuffer[] connections = new OutboundBuffer[MANY_CONNECTIONS];
    connections[0] = idleAgain();
    long before = usedBytes();
    for (int i = 1; i < MANY_CONNECTIONS; i++) {
      connections[i] = idleAgain();
    }
    double bytes = (double) (usedBytes() - before) / MANY_CONNECTIONS;
    assertThat(bytes).isLessThan(MAX_CONNECTION_BYTES);
    assertThat(connections[MANY_CONNECTIONS - 1].pendingMessages()).isZero();
  }

  private OutboundBuffer idleAgain() throws IOException {
    OutboundBuffer connection = outbound(SETTINGS);
    connection.write(direct("a"));
    connection.write(heap("b"));
    connection.flush();
    connection.writeTo(sink);
    return connection;
  }

  private static long usedBytes() throws InterruptedException {
    Garbage.collect();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
