/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Access to the memory of NIO buffers, and views of native memory. This class finds the bytes of
 * any buffer, including read-only ones, so that code copies them without a view. A view does not
 * keep its memory alive: the memory must stay allocated as long as the view is used.
 */
public final class NioMemory {
  private static final int MARGIN_BYTES = 3;

  private static final long ADDRESS = MemoryAccess.fieldOffset(Buffer.class, "address");
  private static final long CAPACITY = MemoryAccess.fieldOffset(Buffer.class, "capacity");
  private static final long LIMIT = MemoryAccess.fieldOffset(Buffer.class, "limit");
  private static final long ARRAY = MemoryAccess.fieldOffset(ByteBuffer.class, "hb");
  private static final long SEGMENT = MemoryAccess.fieldOffset(Buffer.class, "segment");
  private static final ByteBuffer TEMPLATE = ByteBuffer.allocateDirect(Long.BYTES);
  private static final boolean CAN_WRAP = tryWrap();
  private static final boolean CAN_LOOK = tryLook();

  private NioMemory() {}

  private static boolean tryWrap() {
    if (ADDRESS < 0 || CAPACITY < 0 || LIMIT < 0) {
      return false;
    }
    ByteBuffer view = wrap(address(TEMPLATE, 0), Long.BYTES).put(MARGIN_BYTES, (byte) 42);
    return view.capacity() == Long.BYTES
        && view.remaining() == Long.BYTES
        && TEMPLATE.get(MARGIN_BYTES) == 42;
  }

  private static boolean tryLook() {
    if (ADDRESS < 0 || ARRAY < 0 || SEGMENT < 0) {
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
   * Returns whether {@link #base} and {@link #address} find the bytes. This is false if this JVM's
   * buffers have another layout. It is also false for buffers of a memory segment, whose memory may
   * be unmapped at any time, so that only the JVM's own access is safe.
   */
  public static boolean isKnown(ByteBuffer buffer) {
    return CAN_LOOK && hasNoSegment(buffer);
  }

  /** Returns the array that contains the bytes, or null if they are native. */
  public static byte @Nullable [] base(ByteBuffer buffer) {
    return (byte[]) MemoryAccess.getReference(buffer, ARRAY);
  }

  /** Returns the address of the byte at the buffer's position. */
  public static long address(ByteBuffer buffer) {
    return address(buffer, buffer.position());
  }

  /** Returns the address of the byte at an index, which is not checked. */
  public static long address(ByteBuffer buffer, int index) {
    return start(buffer) + index;
  }

  /** Returns the address of byte 0, or 0 if this JVM's buffers have another layout. */
  public static long start(ByteBuffer buffer) {
    return ADDRESS < 0 ? 0 : MemoryAccess.getLong(buffer, ADDRESS);
  }

  /**
   * Returns whether views can be created and moved. If not, {@link #wrap}, {@link #move} and {@link
   * #shut} must not be called.
   */
  public static boolean canWrap() {
    return CAN_WRAP;
  }

  /**
   * Returns a view of native memory. The view does not own the memory: it is a duplicate, which
   * never has a cleaner.
   *
   * @param bytes the size in bytes, 0 or more
   */
  public static ByteBuffer wrap(long address, int bytes) {
    ByteBuffer view = TEMPLATE.duplicate();
    move(view, address, bytes);
    return view;
  }

  /**
   * Moves a view to other memory. The view is then big endian, with position 0 and the limit at the
   * end.
   *
   * @param view a view of {@link #wrap}
   * @param bytes the size in bytes, 0 or more
   */
  public static void move(ByteBuffer view, long address, int bytes) {
    MemoryAccess.putLong(view, ADDRESS, address);
    MemoryAccess.putInt(view, CAPACITY, bytes);
    view.clear().order(ByteOrder.BIG_ENDIAN);
  }

  /** Sets the size of a view to 0 until it is moved again. Costs less than {@link #move}. */
  public static void shut(ByteBuffer view) {
    MemoryAccess.putInt(view, LIMIT, 0);
    MemoryAccess.putInt(view, CAPACITY, 0);
  }
}
