/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of any NIO buffer are, read-only ones included, so that they are copied without a
 * view (seed row B8).
 */
public final class NioMemory {
  private static final int MARGIN_BYTES = 3;

  private static final long ARRAY = offset(ByteBuffer.class, "hb");
  private static final long SEGMENT = offset(Buffer.class, "segment");
  private static final boolean CAN_LOOK = tryLook();

  private NioMemory() {}

  private static long offset(Class<?> type, String field) {
    try {
      return MemoryAccess.fieldOffset(type.getDeclaredField(field));
    } catch (ReflectiveOperationException | RuntimeException hidden) {
      return -1;
    }
  }

  /** Whether this JVM's buffers have the layout that is relied on here. */
  private static boolean tryLook() {
    if (ARRAY < 0 || SEGMENT < 0) {
      return false;
    }
    try {
      byte[] array = new byte[Long.BYTES];
      array[MARGIN_BYTES + 1] = 42;
      ByteBuffer heap = ByteBuffer.wrap(array, MARGIN_BYTES, 2).slice().asReadOnlyBuffer();
      ByteBuffer direct = ByteBuffer.allocateDirect(Long.BYTES).put(MARGIN_BYTES, (byte) 43);
      return hasNoSegment(heap)
          && base(heap) == array
          && MemoryAccess.getByte(array, address(heap.position(1))) == 42
          && hasNoSegment(direct)
          && base(direct) == null
          && MemoryAccess.getByte(null, address(direct.position(MARGIN_BYTES))) == 43;
    } catch (RuntimeException | LinkageError other) {
      return false;
    }
  }

  private static boolean hasNoSegment(ByteBuffer buffer) {
    return MemoryAccess.getReference(buffer, SEGMENT) == null;
  }

  /**
   * True if {@link #base} and {@link #address} say where the bytes are. False where this JVM does
   * not tell, and for buffers of a memory segment, whose memory may be unmapped any time: only the
   * JVM's own access is safe there.
   */
  public static boolean isKnown(ByteBuffer buffer) {
    return CAN_LOOK && hasNoSegment(buffer);
  }

  /** The array that holds the bytes, or null where they are native. */
  public static byte @Nullable [] base(ByteBuffer buffer) {
    return (byte[]) MemoryAccess.getReference(buffer, ARRAY);
  }

  /** The address of the byte at the buffer's position. */
  public static long address(ByteBuffer buffer) {
    return address(buffer, buffer.position());
  }

  /** The address of the byte at an index, which is not checked. */
  public static long address(ByteBuffer buffer, int index) {
    return NativeBuffers.address(buffer) + index;
  }
}
