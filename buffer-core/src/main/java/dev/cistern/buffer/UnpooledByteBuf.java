/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;

/**
 * A buffer with its own region of memory, allocated here or given by a caller. The last release
 * frees the region.
 */
class UnpooledByteBuf extends MemoryByteBuf {
  /** The source of regions on the Java heap, for buffers whose allocator provides no memory. */
  static final MemorySource HEAP = new HeapMemorySource();

  /** The source of regions in native memory, for the same buffers. */
  static final MemorySource DIRECT =
      DirectMemorySource.ofBuffers(DirectMemoryLimit.shared(), false, () -> {});

  private final ByteBufAllocator allocator;
  private final MemorySource source;
  private Region region;

  /** Creates an empty buffer over a new region. The capacities are valid. */
  UnpooledByteBuf(ByteBufAllocator allocator, MemorySource source, int capacity, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    this.source = source;
    region = checked(newRegion(capacity), capacity);
    place(region.array(), region.address());
    open((int) region.bytes());
  }

  /** Creates a buffer over a region of a caller. All bytes are readable. */
  UnpooledByteBuf(ByteBufAllocator allocator, Region given, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    source = given.array() == null ? DIRECT : HEAP;
    region = given;
    place(region.array(), region.address());
    open((int) region.bytes());
    setIndex(0, (int) region.bytes());
  }

  /**
   * Returns a region from a subclass; fails if it is too small. If it is larger, so is the
   * capacity.
   */
  private static Region checked(Region made, int bytes) {
    if (made.bytes() < bytes) {
      throw new IllegalStateException(
          "memory returned by the subclass: "
              + made.bytes()
              + " bytes (expected: >= "
              + bytes
              + ")");
    }
    return made;
  }

  /** Allocates a region; the constructor also calls this method. */
  Region newRegion(int bytes) {
    return source.allocate(bytes);
  }

  /** Frees a region. */
  void freeRegion(Region old) {
    source.free(old);
  }

  @Override
  protected void deallocate() {
    if (!isDirect() && !nioView().isReadOnly()) {
      open(0); // as Netty's heap buffer
    }
    close();
    freeRegion(region);
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity != capacity()) {
      move(newCapacity);
      trimIndicesToCapacity(newCapacity);
    }
    return this;
  }

  private void move(int newCapacity) {
    Region fresh = checked(newRegion(newCapacity), newCapacity);
    if (liveCapacity() < 0) { // newRegion of a subclass may have released this buffer
      freeRegion(fresh);
      throw new IllegalReferenceCountException(0);
    }
    Region old = region; // not before: newRegion of a subclass may have moved this buffer
    copyOut(0, fresh.array(), fresh.address(), Math.min(liveCapacity(), newCapacity));
    region = fresh;
    place(fresh.array(), fresh.address());
    open((int) fresh.bytes()); // before freeRegion of a subclass can fail
    freeRegion(old);
  }

  @Override
  ByteBuffer nioView() {
    return region.buffer();
  }
}
