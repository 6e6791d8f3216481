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
  /** Regions on the Java heap, for buffers that have none of their allocator. */
  static final MemorySource HEAP = new HeapMemorySource();

  /** As {@link #HEAP}, for native memory. */
  static final MemorySource DIRECT =
      DirectMemorySource.ofBuffers(DirectMemoryLimit.shared(), false, () -> {});

  private final ByteBufAllocator allocator;
  private final MemorySource source;
  private Region region;

  /** Empty, over a new region. The capacities are valid. */
  UnpooledByteBuf(ByteBufAllocator allocator, MemorySource source, int capacity, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    this.source = source;
    region = checked(newRegion(capacity), capacity);
    place(region.array(), region.address());
    open((int) region.bytes());
  }

  /** Over a region that a caller gave and has filled: all of it can be read. */
  UnpooledByteBuf(ByteBufAllocator allocator, Region given, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    source = given.array() == null ? DIRECT : HEAP;
    region = given;
    place(region.array(), region.address());
    open((int) region.bytes());
    setIndex(0, (int) region.bytes());
  }

  /** What a subclass made may be too small; where it is larger, the capacity is. */
  private static Region checked(Region made, int bytes) {
    if (made.bytes() < bytes) {
      throw new IllegalStateException(
          "memory of " + made.bytes() + " bytes was made (expected: at least " + bytes + ")");
    }
    return made;
  }

  /** Takes memory, in the constructor too. */
  Region newRegion(int bytes) {
    return source.allocate(bytes);
  }

  /** Gives memory back. */
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
