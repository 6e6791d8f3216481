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
    Region region;
    try {
      byte[] array = UninitializedArrays.allocate(bytes);
      region =
          new Region(array, MemoryAccess.BYTE_ARRAY_OFFSET, ByteBuffer.wrap(array), bytes, null);
    } catch (OutOfMemoryError refused) {
      throw refusal(bytes, refused);
    }
    usedBytes.addAndGet(bytes);
    return region;
  }

  /** Says more than the JVM does; where even that finds no memory, what the JVM said stands. */
  private OutOfMemoryError refusal(int bytes, OutOfMemoryError refused) {
    try {
      OutOfMemoryError error =
          new OutOfMemoryError(
              "the Java heap refused "
                  + bytes
                  + " byte(s) (used: "
                  + usedBytes.get()
                  + " by pools, limit: "
                  + Runtime.getRuntime().maxMemory()
                  + " by -Xmx): "
                  + refused.getMessage());
      error.initCause(refused);
      return error;
    } catch (OutOfMemoryError again) {
      return refused;
    }
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
