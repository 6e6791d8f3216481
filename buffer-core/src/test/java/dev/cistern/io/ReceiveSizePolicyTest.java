/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PoolCheck;
import dev.cistern.buffer.TestAllocators;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that the next size follows the bytes read, within the limits, and that a read loop ends at
 * the right time.
 */
@Tag("H2")
@ExtendWith(PoolCheck.class)
class ReceiveSizePolicyTest {
  private static final int LOOPS_TO_SHRINK = 8;

  private final ReceiveSizer sizer = ReceiveSizePolicy.adaptive(64, 1024, 65536).newSizer();

  /** Runs a read loop that finds that many bytes in the socket; returns its number of reads. */
  private static int loop(ReceiveSizer sizer, int bytes) {
    sizer.begin();
    int left = bytes;
    int reads = 0;
    do {
      int room = sizer.nextSize();
      int read = Math.min(room, left);
      sizer.record(room, read);
      left -= read;
      reads++;
    } while (sizer.continueReading());
    sizer.complete();
    return reads;
  }

  private static void loops(ReceiveSizer sizer, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      loop(sizer, bytes);
    }
  }

  @Test
  void theConstructorRoundsAdaptiveSizesAndLimitsThem() {
    ReceiveSizePolicy policy = new ReceiveSizePolicy(60, 1000, 1001, 16, 1 << 20, 1 << 20);
    assertThat(policy.minBytes()).isEqualTo(64);
    assertThat(policy.initialBytes()).isEqualTo(1024);
    assertThat(policy.maxBytes()).isEqualTo(1024);
    assertThat(new ReceiveSizePolicy(1000, 1000, 1000, 16, 1, 1).maxBytes()).isEqualTo(1000);
    assertThatThrownBy(() -> new ReceiveSizePolicy(64, 1 << 23, 1 << 24, 16, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16777216")
        .hasMessageContaining("4194304");
  }

  @Test
  void itGrowsWithinTheLoopThatFillsIt() {
    sizer.begin();
    sizer.record(1024, 1024);
    assertThat(sizer.nextSize()).isEqualTo(4096);
    sizer.record(4096, 4096);
    sizer.record(16384, 16384);
    assertThat(sizer.nextSize()).isEqualTo(65536);
    sizer.record(65536, 65536);
    assertThat(sizer.nextSize()).as("the limit").isEqualTo(65536);
  }

  @Test
  void itShrinksToTheNeedOfTheLastLoops() {
    loop(sizer, 100_000);
    assertThat(sizer.nextSize()).isEqualTo(65536);
    loops(sizer, LOOPS_TO_SHRINK, 300);
    assertThat(sizer.nextSize()).isEqualTo(65536); // the loops included the large read
    loops(sizer, LOOPS_TO_SHRINK, 300);
    assertThat(sizer.nextSize()).isEqualTo(320);
    loops(sizer, 2 * LOOPS_TO_SHRINK, 1);
    assertThat(sizer.nextSize()).as("the limit").isEqualTo(64);
  }

  @Test
  void oneLargeReadAmongSmallOnesKeepsIt() {
    loop(sizer, 60_000);
    for (int i = 0; i < 100; i++) {
      loops(sizer, LOOPS_TO_SHRINK - 1, 100);
      assertThat(loop(sizer, 60_000)).as("reads").isEqualTo(1);
    }
  }

  @Test
  void messagesOfOneSizeTakeOneReadAndNoLargerClassThanNeeded() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int bytes = 1 + random.nextInt(65000);
      loops(sizer, 3 * LOOPS_TO_SHRINK, bytes);
      int settled = sizer.nextSize();
      assertThat(settled)
          .as("%d bytes, seed %d", bytes, seed)
          .isEqualTo(Math.max(64, ReceiveSizePolicy.roundedUp(bytes + 1)));
      assertThat(loop(sizer, bytes)).as("%d bytes, seed %d", bytes, seed).isEqualTo(1);
      assertThat(sizer.nextSize()).isEqualTo(settled);
    }
  }

  @Test
  void readsOfNothingChangeNothing() {
    loops(sizer, 10 * LOOPS_TO_SHRINK, 0);
    assertThat(sizer.nextSize()).isEqualTo(1024);
    sizer.begin();
    sizer.record(1024, -1);
    assertThat(sizer.continueReading()).isFalse();
    assertThat(sizer.messages()).isZero();
    assertThat(sizer.bytes()).isZero();
  }

  @Test
  void guessesAreClassesOfThePool() {
    ReceiveSizer odd = ReceiveSizePolicy.adaptive(65, 1000, 60_000).newSizer();
    assertThat(odd.nextSize()).isEqualTo(1024);
    loop(odd, 1_000_000);
    assertThat(odd.nextSize()).isEqualTo(65536);
    loops(odd, 2 * LOOPS_TO_SHRINK, 1);
    assertThat(odd.nextSize()).isEqualTo(80);
    ByteBuf buffer = odd.allocate(TestAllocators.POOLED);
    assertThat(buffer.capacity()).isEqualTo(80);
    assertThat(buffer.isDirect()).isTrue();
    buffer.release();
  }

  @Test
  void aFixedGuessStays() {
    ReceiveSizer fixed = ReceiveSizePolicy.fixed(1000).newSizer();
    loop(fixed, 100_000);
    assertThat(fixed.nextSize()).isEqualTo(1000);
    loops(fixed, 10 * LOOPS_TO_SHRINK, 1);
    assertThat(fixed.nextSize()).isEqualTo(1000);
  }

  @Test
  void aLoopEndsWithAReadThatIsNotFilled() {
    assertThat(loop(ReceiveSizePolicy.fixed(100).newSizer(), 350)).isEqualTo(4);
    assertThat(loop(ReceiveSizePolicy.fixed(100).newSizer(), 300)).isEqualTo(4);
  }

  @Test
  void aLoopEndsAtTheLimitOfMessages() {
    assertThat(loop(ReceiveSizePolicy.fixed(10).newSizer(), 1000)).isEqualTo(16);
    assertThat(loop(ReceiveSizePolicy.fixed(10).withMaxMessagesPerRead(3).newSizer(), 1000))
        .isEqualTo(3);
    ReceiveSizer accepting = ReceiveSizePolicy.fixed(1).withMaxMessagesPerRead(3).newSizer();
    accepting.begin();
    accepting.recordMessage();
    accepting.recordMessage();
    assertThat(accepting.continueReading()).isTrue();
    accepting.recordMessage();
    assertThat(accepting.continueReading()).isFalse();
    assertThat(accepting.messages()).isEqualTo(3);
    accepting.complete();
    accepting.begin();
    assertThat(accepting.isWithinLimits()).isTrue();
  }

  @Test
  void aLoopReadsBytesUpToTheLimit() {
    ReceiveSizer limited = ReceiveSizePolicy.fixed(100).withMaxBytesPerRead(250).newSizer();
    assertThat(loop(limited, 1000)).isEqualTo(3);
    assertThat(limited.bytes()).isEqualTo(250);
  }

  @Test
  void aReadHasBytesUpToTheLimit() {
    ReceiveSizer limited =
        ReceiveSizePolicy.adaptive(64, 1024, 65536).withMaxBytesPerIndividualRead(100).newSizer();
    assertThat(limited.nextSize()).isEqualTo(100);
    assertThat(loop(limited, 250)).isEqualTo(3);
    assertThat(limited.nextSize()).isEqualTo(100);
  }

  @Test
  void aCallerThatKnowsOfMoreBytesReadsOnWithinTheLimits() {
    ReceiveSizer limited = ReceiveSizePolicy.fixed(100).withMaxMessagesPerRead(2).newSizer();
    limited.begin();
    limited.record(100, 50);
    assertThat(limited.continueReading()).isFalse();
    assertThat(limited.isWithinLimits()).isTrue();
    limited.record(100, 50);
    assertThat(limited.isWithinLimits()).isFalse();
  }

  @Test
  void bytesOfALoopDoNotOverflow() {
    ReceiveSizer huge = ReceiveSizePolicy.adaptive().withMaxMessagesPerRead(10).newSizer();
    huge.begin();
    huge.record(Integer.MAX_VALUE, Integer.MAX_VALUE);
    huge.record(Integer.MAX_VALUE, Integer.MAX_VALUE);
    assertThat(huge.bytes()).isEqualTo(Integer.MAX_VALUE);
    assertThat(huge.nextSize()).isPositive();
    assertThat(huge.continueReading()).isFalse();
  }

  @Test
  void wrongLimitsAreRefused() {
    assertThatThrownBy(() -> ReceiveSizePolicy.adaptive(64, 32, 128))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "min: 64, initial: 32, max: 128 (expected: 1 <= min <= initial <= max <= 4194304)");
    assertThatThrownBy(() -> ReceiveSizePolicy.adaptive(0, 32, 128))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> ReceiveSizePolicy.adaptive(1, 2, ReceiveSizePolicy.MAX_GUESS_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ReceiveSizePolicy.fixed(0)).hasMessage("bytes: 0 (expected: >= 1)");
    ReceiveSizePolicy sizing = ReceiveSizePolicy.adaptive();
    assertThatThrownBy(() -> sizing.withMaxMessagesPerRead(0))
        .hasMessage("maxMessagesPerRead: 0 (expected: >= 1)");
    assertThatThrownBy(() -> sizing.withMaxBytesPerRead(0))
        .hasMessage("maxBytesPerRead: 0 (expected: >= 1)");
    assertThatThrownBy(() -> sizing.withMaxBytesPerIndividualRead(0))
        .hasMessage("maxBytesPerIndividualRead: 0 (expected: >= 1)");
  }
}
