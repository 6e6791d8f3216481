/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;

/** Tests that several threads can read a buffer at the same time. */
@Tag("B12")
class ConcurrentReadTest {
  private static final int ROUNDS = 300;
  private static final int THREADS = 4;
  private static final int BYTES = 128;

  @EveryKind
  void everyThreadReadsTheRightBytes(BufferKind kind) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        ByteBuf buffer = kind.buffer(BYTES);
        for (int i = 0; i < BYTES; i++) {
          buffer.writeByte(round + i);
        }
        readInAll(threads, buffer, round);
        buffer.release();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void readInAll(ExecutorService threads, ByteBuf buffer, int round)
      throws InterruptedException, ExecutionException {
    List<Future<Integer>> wrong = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      wrong.add(threads.submit(() -> wrongBytes(buffer, round)));
    }
    for (Future<Integer> count : wrong) {
      assertThat(count.get()).isZero();
    }
  }

  private static int wrongBytes(ByteBuf buffer, int round) {
    int wrong = 0;
    byte[] copy = new byte[BYTES];
    buffer.getBytes(0, copy);
    for (int i = 0; i < BYTES; i++) {
      byte expected = (byte) (round + i);
      wrong += buffer.nioBuffer(i, 1).get(0) == expected ? 0 : 1;
      wrong += buffer.getByte(i) == expected ? 0 : 1;
      wrong += copy[i] == expected ? 0 : 1;
      wrong += buffer.slice(i, 1).getByte(0) == expected ? 0 : 1;
    }
    return wrong;
  }
}
