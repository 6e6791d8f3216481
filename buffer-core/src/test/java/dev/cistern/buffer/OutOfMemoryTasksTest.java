/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the tasks for exhausted direct memory run, whichever code refuses the memory. */
class OutOfMemoryTasksTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final Runnable task = runs::incrementAndGet;

  @BeforeEach
  void add() {
    BufferDiagnostics.onOutOfMemory(task);
  }

  @AfterEach
  void remove() {
    BufferDiagnostics.removeOnOutOfMemory(task);
  }

  private static ByteBufAllocator allocator(boolean pooled) {
    return pooled ? new PooledByteBufAllocator(true) : new UnpooledByteBufAllocator(true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskRunsOnceForEachRefusal(boolean pooled) {
    ByteBufAllocator allocator = allocator(pooled);
    for (int refusals = 1; refusals <= 2; refusals++) {
      assertThatThrownBy(() -> allocator.directBuffer(Integer.MAX_VALUE))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(runs).hasValue(refusals);
    }
    allocator.directBuffer(64).release();
    assertThat(runs).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBufferThatCannotGrowRunsIt(boolean pooled) {
    ByteBuf buffer = allocator(pooled).directBuffer(64);
    assertThatThrownBy(() -> buffer.capacity(Integer.MAX_VALUE))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(runs).hasValue(1);
    assertThat(buffer.capacity()).isEqualTo(64);
    buffer.release();
  }

  @Test
  void anotherTaskThatThrowsIsNoHindranceAndHidesNoError() {
    Runnable throwing =
        () -> {
          throw new IllegalStateException("on purpose");
        };
    BufferDiagnostics.onOutOfMemory(throwing);
    try {
      aTaskRunsOnceForEachRefusal(false);
    } finally {
      BufferDiagnostics.removeOnOutOfMemory(throwing);
    }
  }
}
