/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.DefaultByteBufHolder;
import dev.cistern.buffer.PoolCheck;
import dev.cistern.buffer.TestAllocators;
import dev.cistern.buffer.Unpooled;
import dev.cistern.testing.TestLength;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Compares random calls on channels of random behaviour with a model, a deque of byte arrays. Each
 * listener is called once and in order, the channel gets each byte once, and the statistics match
 * the model.
 */
@Tag("H1")
@ExtendWith(PoolCheck.class)
class OutboundModelTest {
  private static final int STEPS = TestLength.choose(1_000, 4_000, 200_000);
  private static final int LARGEST = 300;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final TestChannel channel = new TestChannel();
  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
  private final WaterMarks marks =
      new WaterMarks(random.nextInt(2000), 2000 + random.nextInt(4000));
  private boolean reportedWritable = true;
  private @Nullable Throwable failure;

  /**
   * Listener that stores failures, because the buffer does not rethrow an exception or assertion
   * error of its listener.
   */
  private final OutboundListener events =
      new OutboundListener() {
        @Override
        public void writabilityChanged(OutboundBuffer buffer, boolean writable) {
          assertThat(writable).as("reported twice").isNotEqualTo(reportedWritable);
          reportedWritable = writable;
        }

        @Override
        public void failed(OutboundBuffer buffer, Throwable thrown) {
          failure = thrown;
        }
      };

  private OutboundBuffer outbound = fresh();

  /** The messages that the model expects to be written. */
  private final Deque<Pending> pending = new ArrayDeque<>();

  private int flushed;

  /** A message in the model. */
  private static final class Pending {
    final byte[] bytes;
    int written;
    boolean isDone;

    Pending(byte[] bytes) {
      this.bytes = bytes;
    }

    int left() {
      return bytes.length - written;
    }
  }

  private OutboundBuffer fresh() {
    OutboundSettings settings =
        OutboundSettings.of(TestAllocators.POOLED)
            .withWaterMarks(marks)
            .withMaxBuffersPerWrite(1 + random.nextInt(20))
            .withMaxBytesPerWrite(1 + random.nextInt(1000))
            .withMaxWrites(1 + random.nextInt(5));
    reportedWritable = true;
    return new OutboundBuffer(settings, events);
  }

  @RepeatedTest(5)
  void itBehavesAsTheModel() throws IOException {
    try {
      for (int i = 0; i < STEPS; i++) {
        step();
        compare();
      }
      close();
      assertThat(channel.taken()).isEqualTo(expected.toByteArray());
      assertThat(outbound.failures()).isZero();
    } catch (AssertionError failure) {
      throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
    }
  }

  private void step() throws IOException {
    switch (random.nextInt(20)) {
      case 0 -> failFlushed();
      case 1 -> {
        if (random.nextInt(10) == 0) {
          close();
          outbound = fresh();
        }
      }
      case 2, 3, 4 -> {
        outbound.flush();
        flushed = pending.size();
      }
      case 5, 6, 7, 8, 9 -> writeTo();
      default -> write();
    }
  }

  private void write() {
    byte[] bytes = new byte[random.nextInt(5) == 0 ? 0 : random.nextInt(LARGEST)];
    random.nextBytes(bytes);
    Pending model = new Pending(bytes);
    pending.addLast(model);
    assertThat(outbound.write(message(bytes), failure -> completed(model, failure))).isTrue();
  }

  /**
   * Records a completed message, in the order of the queue; the model already has the expected
   * result.
   */
  private void completed(Pending model, @Nullable Throwable failure) {
    assertThat(model.isDone).as("completed twice").isFalse();
    model.isDone = true;
    if (failure == null) {
      assertThat(pending.peekFirst()).as("in order").isSameAs(model);
      pending.removeFirst();
      flushed--;
      expected.write(model.bytes, model.written, model.left());
      model.written = model.bytes.length;
    }
  }

  private Object message(byte[] bytes) {
    return switch (random.nextInt(7)) {
      case 0 -> TestAllocators.POOLED.heapBuffer().writeBytes(bytes);
      case 1 -> new DefaultByteBufHolder(TestAllocators.POOLED.directBuffer().writeBytes(bytes));
      case 2 -> inTwo(bytes);
      case 3 -> sliced(bytes);
      case 4 ->
          Unpooled.wrappedBuffer(
              ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer());
      default -> TestAllocators.POOLED.directBuffer().writeBytes(bytes);
    };
  }

  private ByteBuf inTwo(byte[] bytes) {
    int half = bytes.length / 2;
    return new CompositeByteBuf(TestAllocators.POOLED, true, 4)
        .addComponents(
            true,
            TestAllocators.POOLED.directBuffer().writeBytes(bytes, 0, half),
            TestAllocators.POOLED.directBuffer().writeBytes(bytes, half, bytes.length - half));
  }

  private ByteBuf sliced(byte[] bytes) {
    ByteBuf root = TestAllocators.POOLED.directBuffer().writeZero(3).writeBytes(bytes);
    return root.slice(3, bytes.length);
  }

  private void writeTo() throws IOException {
    int mood = random.nextInt(4);
    boolean throwing = random.nextInt(20) == 0;
    channel.appetite =
        offered ->
            switch (mood) {
              case 0 -> 0;
              case 1 -> 1;
              case 2 -> offered;
              default -> (long) (random.nextDouble() * (offered + 1));
            };
    IOException thrown = new IOException("on purpose");
    channel.before =
        () -> {
          if (throwing) {
            throw thrown;
          }
        };
    int before = channel.taken().length;
    try {
      WriteProgress progress = outbound.writeTo(channel);
      partlyWritten(channel.taken().length);
      assertThat(progress == WriteProgress.ALL_WRITTEN).isEqualTo(flushed == 0);
    } catch (IOException expectedOne) {
      assertThat(expectedOne).isSameAs(thrown);
      assertThat(channel.taken()).hasSize(before);
    }
  }

  /**
   * Records the first bytes of the next message, which the channel accepted after the completed
   * messages.
   */
  private void partlyWritten(int taken) {
    int more = taken - expected.size();
    Pending first = pending.peekFirst();
    if (more > 0) {
      assertThat(first).isNotNull();
      expected.write(first.bytes, first.written, more);
      first.written += more;
      assertThat(first.left()).isPositive();
    }
  }

  private void failFlushed() {
    Pending[] failing = pending.stream().limit(flushed).toArray(Pending[]::new);
    for (int i = 0; i < failing.length; i++) {
      pending.removeFirst();
    }
    flushed = 0;
    outbound.failFlushed(new IOException("failed"));
    assertThat(Arrays.stream(failing)).allMatch(one -> one.isDone);
  }

  private void close() {
    Pending[] failing = pending.toArray(Pending[]::new);
    pending.clear();
    flushed = 0;
    outbound.close(new IOException("closed"));
    assertThat(Arrays.stream(failing)).allMatch(one -> one.isDone);
    assertThat(outbound.write(message(new byte[3]), failure -> assertThat(failure).isNotNull()))
        .isFalse();
  }

  private void compare() {
    assertThat(failure).as("thrown by a listener").isNull();
    long bytes = pending.stream().mapToLong(Pending::left).sum();
    assertThat(outbound.pendingMessages()).isEqualTo(pending.size());
    assertThat(outbound.pendingBytes()).isEqualTo(bytes);
    assertThat(outbound.hasFlushed()).isEqualTo(flushed > 0);
    long held = bytes + (long) OutboundBuffer.MESSAGE_OVERHEAD_BYTES * pending.size();
    if (held > marks.high()) {
      assertThat(outbound.isWritable()).isFalse();
    } else if (held <= marks.low()) {
      assertThat(outbound.isWritable()).isTrue();
    }
    assertThat(outbound.isWritable()).isEqualTo(reportedWritable);
  }
}
