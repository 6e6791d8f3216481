/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryBackoffError;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** A source of heap regions that tracks each region, refuses on demand, and checks each free. */
final class TestSource implements MemorySource {
  private final Set<Region> out = Collections.newSetFromMap(new IdentityHashMap<>());
  private long usedBytes;
  private int doubleFrees;
  private long limitBytes = Long.MAX_VALUE;

  /** Whether it tries to allocate before it refuses. */
  volatile boolean isRequested = true;

  volatile Runnable onFree = () -> {};

  @Override
  public Region allocate(int bytes) {
    synchronized (out) {
      if (bytes > limitBytes - usedBytes) {
        String why = "used: " + usedBytes + ", limit: " + limitBytes + ", request: " + bytes;
        throw isRequested ? new OutOfMemoryError(why) : new MemoryBackoffError(why);
      }
      byte[] array = new byte[bytes];
      long offset = MemoryAccess.BYTE_ARRAY_OFFSET;
      Region region = new Region(array, offset, ByteBuffer.wrap(array), bytes, null);
      usedBytes += bytes;
      out.add(region);
      return region;
    }
  }

  @Override
  public void free(Region region) {
    try {
      onFree.run();
    } finally {
      remove(region); // a region whose free fails counts as freed
    }
  }

  private void remove(Region region) {
    synchronized (out) {
      if (!out.remove(region)) {
        doubleFrees++;
        throw new AssertionError("freed a region that is not out");
      }
      usedBytes -= region.bytes();
    }
  }

  /** Sets the most bytes from now on. */
  void limit(long bytes) {
    synchronized (out) {
      limitBytes = bytes;
    }
  }

  /** Number of frees of a region that was not allocated. */
  int doubleFrees() {
    synchronized (out) {
      return doubleFrees;
    }
  }

  int regions() {
    synchronized (out) {
      return out.size();
    }
  }

  @Override
  public long usedBytes() {
    synchronized (out) {
      return usedBytes;
    }
  }

  @Override
  public long limitBytes() {
    synchronized (out) {
      return limitBytes;
    }
  }
}
