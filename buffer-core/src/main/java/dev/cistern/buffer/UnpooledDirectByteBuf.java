/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer over one direct NIO buffer. A subclass can choose how NIO buffers are allocated and
 * freed. Other code uses an allocator or {@link Unpooled}.
 */
public class UnpooledDirectByteBuf extends UnpooledByteBuf {
  /** The NIO buffer of the caller, which this buffer does not free; null if there is none. */
  private final @Nullable ByteBuffer given;

  /**
   * Creates an empty buffer. This constructor calls {@link #allocateDirect}.
   *
   * @throws IllegalArgumentException unless 0 &lt;= initial &lt;= maximum capacity
   */
  public UnpooledDirectByteBuf(ByteBufAllocator alloc, int initialCapacity, int maxCapacity) {
    super(
        Objects.requireNonNull(alloc, "alloc"),
        DIRECT,
        AbstractByteBufAllocator.checkedCapacity(initialCapacity, maxCapacity),
        maxCapacity);
    given = null;
  }

  /**
   * Creates a buffer over the remaining bytes of a NIO buffer, which the caller must free.
   *
   * @throws IllegalArgumentException if the NIO buffer is not direct, is read-only, or has more
   *     bytes than the maximum capacity
   */
  protected UnpooledDirectByteBuf(
      ByteBufAllocator alloc, ByteBuffer initialBuffer, int maxCapacity) {
    super(
        Objects.requireNonNull(alloc, "alloc"),
        Region.of(checked(initialBuffer, maxCapacity)),
        maxCapacity);
    given = initialBuffer;
  }

  private static ByteBuffer checked(ByteBuffer buffer, int maxCapacity) {
    if (!buffer.isDirect() || buffer.isReadOnly()) {
      throw new IllegalArgumentException(
          "initialBuffer: " + buffer + " (expected: direct, and not read-only)");
    }
    AbstractByteBufAllocator.checkedCapacity(buffer.remaining(), maxCapacity);
    return buffer;
  }

  /**
   * Allocates a direct NIO buffer. The constructor calls this method, and so does a change of the
   * capacity.
   */
  protected ByteBuffer allocateDirect(int initialCapacity) {
    return DirectMemorySource.newBuffer(initialCapacity);
  }

  /**
   * Frees a NIO buffer of {@link #allocateDirect}. The last release calls this method, and so does
   * a change of the capacity. The memory stays in quarantine before it is unmapped.
   */
  protected void freeDirect(ByteBuffer buffer) {
    DirectMemorySource.freeBuffer(buffer);
  }

  @Override
  final Region newRegion(int bytes) {
    return Region.of(allocateDirect(bytes));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // buffers are equal by their bytes
  final void freeRegion(Region old) {
    ByteBuffer buffer = (ByteBuffer) Objects.requireNonNull(old.handle());
    if (buffer != given) {
      freeDirect(buffer);
    }
  }
}
