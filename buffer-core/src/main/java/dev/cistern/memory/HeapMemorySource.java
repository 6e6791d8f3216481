/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Regions on the Java heap. The heap's own size is the limit. */
public final class HeapMemorySource implements MemorySource {
  private final AtomicLong usedBytes = new AtomicLong();

  @Override
  public Region allocate(int bytes) {
    byte[] array = new byte[bytes];
    usedBytes.addAndGet(bytes);
    return new Region(array, MemoryAccess.BYTE_ARRAY_OFFSET, ByteBuffer.wrap(array), bytes, null);
  }

  @Override
  public void free(Region region) {
    usedBytes.addAndGet(-region.bytes());
  }

  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  @Override
  public long limitBytes() {
    return Long.MAX_VALUE;
  }
}
