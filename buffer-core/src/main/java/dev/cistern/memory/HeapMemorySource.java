/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.Settings;
import java.util.concurrent.atomic.AtomicLong;

/** Regions on the Java heap. The heap's own size is the limit. */
public final class HeapMemorySource implements MemorySource {
  private final AtomicLong usedBytes = new AtomicLong();

  private final boolean uninitialized;

  /**
   * Arrays of zeros, unless {@code -Dcistern.memory.uninitializedArrays=true} asks for arrays
   * without.
   */
  public HeapMemorySource() {
    this(Settings.flag("memory.uninitializedArrays", false));
  }

  /**
   * @param uninitialized whether arrays may contain what was on the Java heap before, which saves
   *     the time to fill them with zeros. The JVM must permit that: {@code --add-opens
   *     java.base/jdk.internal.misc=ALL-UNNAMED}, or the agent
   */
  public HeapMemorySource(boolean uninitialized) {
    this.uninitialized = uninitialized;
  }

  @Override
  public Region allocate(int bytes) {
    Region region;
    try {
      region = Region.of(uninitialized ? UninitializedArrays.allocate(bytes) : new byte[bytes]);
    } catch (OutOfMemoryError refused) {
      throw refusal(bytes, refused);
    }
    usedBytes.addAndGet(bytes);
    return region;
  }

  /** Returns an error that says more than the JVM's, or that of the JVM if there is no memory. */
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
