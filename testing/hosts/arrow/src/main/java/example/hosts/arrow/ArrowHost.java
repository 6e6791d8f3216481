/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.arrow;

import example.hosts.common.Lifetime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Allocates buffers of Arrow, and no other. */
public final class ArrowHost {
  private static final int BUFFERS = 1_000;

  private ArrowHost() {}

  /**
   * Releases its first buffers, prints the ready line, continues to allocate, and ends with its
   * standard input.
   */
  public static void main(String[] arguments) throws IOException {
    allocate();
    Thread allocating = new Thread(ArrowHost::allocateOn, "allocating");
    allocating.setDaemon(true);
    allocating.start();
    Lifetime.serve(0);
  }

  private static void allocateOn() {
    while (true) {
      allocate();
    }
  }

  private static void allocate() {
    List<ArrowBuf> held = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = 0; i < BUFFERS; i++) {
        ArrowBuf buffer = allocator.buffer(1_000 + i);
        buffer.setLong(0, i);
        held.add(buffer);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // a report finds them live
      held.forEach(ArrowBuf::close);
    }
  }
}
