/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** NIO views of native memory that we allocated ourselves. */
final class NativeBuffers {
  private static final long ADDRESS = offset("address");
  private static final long CAPACITY = offset("capacity");
  private static final long LIMIT = offset("limit");
  private static final ByteBuffer TEMPLATE = ByteBuffer.allocateDirect(1);
  private static final boolean CAN_WRAP = tryWrap();

  private NativeBuffers() {}

  private static long offset(String field) {
    try {
      return MemoryAccess.fieldOffset(Buffer.class.getDeclaredField(field));
    } catch (ReflectiveOperationException | RuntimeException hidden) {
      return -1;
    }
  }

  /** Whether this JVM's buffers have the layout that {@link #wrap} relies on. */
  static boolean canWrap() {
    return CAN_WRAP;
  }

  private static boolean tryWrap() {
    if (ADDRESS < 0 || CAPACITY < 0 || LIMIT < 0) {
      return false;
    }
    long memory = MemoryAccess.allocate(Long.BYTES);
    try {
      MemoryAccess.putLong(null, memory, 0);
      ByteBuffer view = wrap(memory, Long.BYTES);
      view.put(3, (byte) 42);
      return view.capacity() == Long.BYTES
          && view.remaining() == Long.BYTES
          && MemoryAccess.getByte(null, memory + 3) == 42;
    } finally {
      MemoryAccess.free(memory);
    }
  }

  /** The address of the first byte of a direct buffer. */
  static long address(ByteBuffer direct) {
    if (ADDRESS < 0) {
      return 0;
    }
    return MemoryAccess.getLong(direct, ADDRESS);
  }

  /**
   * A direct buffer over memory that stays ours. A duplicate never has a cleaner, so that one with
   * its bounds set anew is a view without an owner.
   */
  static ByteBuffer wrap(long address, int bytes) {
    ByteBuffer view = TEMPLATE.duplicate();
    move(view, address, bytes);
    return view;
  }

  /** Lets a buffer that {@link #wrap} made show other memory, from its first byte to its last. */
  static void move(ByteBuffer view, long address, int bytes) {
    MemoryAccess.putLong(view, ADDRESS, address);
    MemoryAccess.putInt(view, CAPACITY, bytes);
    view.clear().order(ByteOrder.BIG_ENDIAN);
  }

  /** Lets a buffer that {@link #wrap} made show nothing; costs less than {@link #move}. */
  static void shut(ByteBuffer view) {
    MemoryAccess.putInt(view, LIMIT, 0);
    MemoryAccess.putInt(view, CAPACITY, 0);
  }
}
