/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.util.CharsetUtil;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a thread that moves the indices between a check and an access does not change the
 * accessed range.
 */
@Tag("B4")
@Tag("needs-checks")
@ExtendWith(PoolCheck.class)
class SharedIndicesTest {
  private static final int MARGIN = 1024;
  private static final int ROOM = 512;
  private static final int CALLS = 30_000;
  private static final String WIDE = "\u4e2d".repeat(ROOM / 3);
  private static final byte OUTSIDE = 7;

  @ParameterizedTest
  @EnumSource(
      value = BufferKind.class,
      names = {"POOLED_DIRECT", "UNPOOLED_HEAP"})
  void nothingIsReadOrWrittenOutsideOfASharedSlice(BufferKind kind) throws InterruptedException {
    ByteBuf root = kind.buffer(MARGIN + ROOM + MARGIN);
    for (int i = 0; i < MARGIN; i++) {
      root.setByte(i, OUTSIDE).setByte(MARGIN + ROOM + i, OUTSIDE);
    }
    ByteBuf shared = root.slice(MARGIN, ROOM).setZero(0, ROOM);
    AtomicBoolean done = new AtomicBoolean();
    Thread mover =
        new Thread(
            () -> {
              while (!done.get()) {
                shared.setIndex(0, ROOM).setIndex(ROOM, ROOM).setIndex(0, ROOM).setIndex(0, 0);
              }
            });
    mover.start();
    try {
      moveOften(shared);
    } finally {
      done.set(true);
      mover.join();
    }
    for (int i = 0; i < MARGIN; i++) {
      assertThat(root.getByte(i)).as("%s: byte %s", kind, i - MARGIN).isEqualTo(OUTSIDE);
      int after = MARGIN + ROOM + i;
      assertThat(root.getByte(after)).as("%s: byte %s", kind, ROOM + i).isEqualTo(OUTSIDE);
    }
    root.release();
  }

  private static void moveOften(ByteBuf shared) {
    Random random = new Random(1);
    byte[] bytes = new byte[16];
    for (int i = 0; i < CALLS; i++) {
      try {
        switch (random.nextInt(8)) {
          case 0 -> shared.writeBytes(new byte[16]);
          case 1 -> shared.writeCharSequence("sixteen letters.", CharsetUtil.US_ASCII);
          case 2 -> ByteBufUtil.writeAscii(shared, "sixteen letters.");
          case 3 -> assertThat(shared.readBytes(bytes)).as("the slice").isSameAs(shared);
          case 4 ->
              assertThat(shared.readCharSequence(64, CharsetUtil.ISO_8859_1).toString())
                  .doesNotContain(String.valueOf((char) OUTSIDE));
          default -> shared.writeCharSequence(WIDE, CharsetUtil.UTF_8);
        }
      } catch (IndexOutOfBoundsException refused) {
        continue; // the index was at the end
      }
      assertThat(bytes).doesNotContain(OUTSIDE);
    }
  }
}
