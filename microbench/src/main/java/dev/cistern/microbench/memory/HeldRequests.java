/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of a burst. A host holds each with its buffers until the last has arrived; then it
 * releases all buffers, half of them on another event loop, and responds. Thread-safe.
 */
final class HeldRequests {
  private static final int MIN_BYTES = 1 << 10;
  private static final int MAX_BYTES = 1 << 20;

  private final List<? extends Executor> loops;

  /** Guarded by this. */
  private final List<Held> arrived = new ArrayList<>();

  /** Guarded by this. */
  private long seed;

  private record Held(Subject allocator, int loop, List<Object> buffers, Runnable response) {
    void release(int part) {
      for (int i = part; i < buffers.size(); i += 2) {
        allocator.release(buffers.get(i));
      }
    }
  }

  HeldRequests(List<? extends Executor> loops) {
    this.loops = loops;
  }

  /**
   * Allocates the buffers of a request on its event loop.
   *
   * @param path {@code /<requests of the burst>/<bytes of each>}
   */
  void hold(String path, int loop, Subject allocator, Runnable response) {
    String[] numbers = path.split("/", -1);
    int requests = Integer.parseInt(numbers[1]);
    List<Object> buffers = allocate(allocator, Integer.parseInt(numbers[2]));
    for (Held held : arrive(new Held(allocator, loop, buffers, response), requests)) {
      release(held);
    }
  }

  private List<Object> allocate(Subject allocator, int bytes) {
    SplittableRandom random = new SplittableRandom(nextSeed());
    List<Object> buffers = new ArrayList<>();
    for (int left = bytes; left > 0; ) {
      int size = Math.min(left, SizeMix.logUniform(random, MIN_BYTES, MAX_BYTES));
      buffers.add(allocator.allocate(size));
      left -= size;
    }
    return buffers;
  }

  private synchronized long nextSeed() {
    return seed++;
  }

  /** Returns all requests of the burst if this is the last, otherwise none. */
  private synchronized List<Held> arrive(Held request, int requests) {
    arrived.add(request);
    if (arrived.size() < requests) {
      return List.of();
    }
    List<Held> all = List.copyOf(arrived);
    arrived.clear();
    return all;
  }

  private void release(Held request) {
    AtomicInteger left = new AtomicInteger(2);
    for (int i = 0; i < 2; i++) {
      int part = i;
      Runnable task =
          () -> {
            request.release(part);
            if (left.decrementAndGet() == 0) {
              request.response.run();
            }
          };
      loops.get((request.loop + part) % loops.size()).execute(task);
    }
  }
}
