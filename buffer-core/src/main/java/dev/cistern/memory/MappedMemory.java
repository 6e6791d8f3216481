/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that a {@link MemoryQuarantine} keeps mapped between its last use and its end. This
 * object is also the entry in the list of the quarantine, so that adding it allocates nothing,
 * because the Java heap may be full.
 */
public abstract class MappedMemory {
  private long address;
  private long bytes;

  // Guarded by the lock of the quarantine.
  @Nullable MappedMemory older;
  @Nullable MappedMemory newer;
  int pause;

  /**
   * @param address the address of the first byte
   * @param bytes the size in bytes
   */
  protected MappedMemory(long address, long bytes) {
    this.address = address;
    this.bytes = bytes;
  }

  /** Returns the address of the first byte. */
  public final long address() {
    return address;
  }

  /** Returns the size in bytes. */
  public final long bytes() {
    return bytes;
  }

  /**
   * Frees the memory, or fails before it has freed anything.
   *
   * @return false if the memory can only be freed later
   */
  protected abstract boolean tryFree();

  /** Memory of {@link MemoryAccess#allocate}. */
  static final class OfMalloc extends MappedMemory {
    OfMalloc(long address, long bytes) {
      super(address, bytes);
    }

    void become(long newAddress, long newBytes) {
      super.address = newAddress;
      super.bytes = newBytes;
    }

    @Override
    protected boolean tryFree() {
      MemoryAccess.free(address());
      return true;
    }
  }

  /** Memory of a direct buffer that has a cleaner. */
  static final class OfBuffer extends MappedMemory {
    private final ByteBuffer buffer;

    OfBuffer(ByteBuffer buffer) {
      super(0, buffer.capacity());
      this.buffer = buffer;
    }

    @Override
    protected boolean tryFree() {
      MemoryAccess.invokeCleaner(buffer);
      return true;
    }
  }
}
