/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests with NIO buffers whose limit moves while their bytes are copied: the copy stays within the
 * bounds of Cistern's buffer.
 */
@Tag("B4")
@Tag("B8")
@Tag("needs-checks")
class MovedNioBufferTest {
  private static final int FEW = 8;
  private static final int MANY = 512;
  private static final int OURS = 64;
  private static final byte BEYOND = 0x7f;
  private static final int ROUNDS = 300_000;

  /**
   * Buffer that allocates more memory than requested, so that the test detects a write beyond its
   * end. It runs an action when it grows.
   */
  private static final class Growing extends UnpooledHeapByteBuf {
    private final Runnable atGrowth;

    Growing(Runnable atGrowth) {
      super(UnpooledByteBufAllocator.DEFAULT, 0, MANY);
      this.atGrowth = atGrowth;
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      return new byte[2 * MANY];
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
      atGrowth.run();
      return super.capacity(newCapacity);
    }
  }

  private static ByteBuffer nio(boolean direct) {
    return direct ? ByteBuffer.allocateDirect(MANY) : ByteBuffer.allocate(MANY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLimitRaisedDuringGrowthDoesNotExtendTheCopy(boolean direct) {
    ByteBuffer source = nio(direct);
    for (int i = 0; i < MANY; i++) {
      source.put(i, BEYOND);
    }
    source.limit(FEW);
    Growing buffer = new Growing(() -> source.limit(MANY));
    buffer.writeBytes(source);
    assertThat(buffer.writerIndex()).isEqualTo(FEW);
    assertThat(source.position()).isEqualTo(FEW);
    byte[] memory = buffer.array();
    for (int i = FEW; i < memory.length; i++) {
      assertThat(memory[i]).as("byte %d", i).isZero();
    }
    buffer.release();
  }

  /** Repeats a call while another thread moves the limit of the NIO buffer. */
  private static void race(
      ByteBuffer nio, ByteBuf ours, BiConsumer<ByteBuf, ByteBuffer> call, Runnable check)
      throws InterruptedException {
    AtomicBoolean ends = new AtomicBoolean();
    Thread mover =
        new Thread(
            () -> {
              while (!ends.get()) {
                nio.limit(MANY);
                nio.limit(FEW);
              }
            });
    mover.start();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        nio.position(0);
        ours.setIndex(0, OURS);
        try {
          call.accept(ours, nio);
        } catch (IndexOutOfBoundsException | IllegalArgumentException seen) {
          // more bytes than the buffer has, or a position that is now beyond the limit
        }
        check.run();
      }
    } finally {
      ends.set(true);
      mover.join();
    }
  }

  private static ByteBuf root() {
    ByteBuf root = UnpooledByteBufAllocator.DEFAULT.directBuffer(2 * MANY, 2 * MANY);
    for (int i = 0; i < root.capacity(); i++) {
      root.setByte(i, i < OURS ? 1 : BEYOND);
    }
    return root;
  }

  private static void readsNothingBeyond(BiConsumer<ByteBuf, ByteBuffer> call)
      throws InterruptedException {
    ByteBuf root = root();
    ByteBuffer target = nio(true);
    ByteBuffer looker = target.duplicate();
    race(target, root.slice(0, OURS), call, () -> assertThat(looker.get(OURS)).isZero());
    root.release();
  }

  private static void writesNothingBeyond(BiConsumer<ByteBuf, ByteBuffer> call)
      throws InterruptedException {
    ByteBuf root = root();
    race(
        nio(true),
        root.slice(0, OURS),
        call,
        () -> assertThat(root.getByte(OURS)).isEqualTo(BEYOND));
    root.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noByteBeyondALimitThatAnotherThreadMovesIsRead(boolean relative)
      throws InterruptedException {
    if (relative) {
      readsNothingBeyond((ours, nio) -> ours.readBytes(nio));
    } else {
      readsNothingBeyond((ours, nio) -> ours.getBytes(0, nio));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noByteBeyondALimitThatAnotherThreadMovesIsWritten(boolean relative)
      throws InterruptedException {
    if (relative) {
      writesNothingBeyond((ours, nio) -> ours.clear().writeBytes(nio));
    } else {
      writesNothingBeyond((ours, nio) -> ours.setBytes(0, nio));
    }
  }
}
