/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/**
 * Base class of allocators, with the defaults, the preferred kind of memory and the growth of
 * buffers.
 */
public abstract class AbstractByteBufAllocator implements ByteBufAllocator {
  /** Maximum number of components of a composite; with more, they are copied into one. */
  static final int DEFAULT_MAX_COMPONENTS = 16;

  private static final int DEFAULT_INITIAL_CAPACITY = 256;
  private static final int DEFAULT_MAX_CAPACITY = Integer.MAX_VALUE;
  private static final int MIN_GROWN_CAPACITY = 64;

  /** Capacity up to which a buffer doubles, and step by which a larger buffer grows. */
  private static final int GROWTH_STEP_BYTES = 4 << 20;

  private final boolean directByDefault;

  /** Result of a request for a maximum capacity of 0. */
  private final ByteBuf empty;

  /** Creates an allocator that prefers heap buffers. */
  protected AbstractByteBufAllocator() {
    this(false);
  }

  /**
   * Creates an allocator.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   */
  @SuppressWarnings("this-escape") // the empty buffer only keeps its allocator
  protected AbstractByteBufAllocator(boolean preferDirect) {
    directByDefault = preferDirect;
    empty = new EmptyByteBuf(this);
  }

  /**
   * Tracks a new buffer for leaks if the leak detector samples it. Returns the buffer, or, at a
   * level that records accesses, a wrapper that the allocator must return in its place.
   */
  protected static ByteBuf toLeakAwareBuffer(ByteBuf buf) {
    return LeakTracking.watch(buf);
  }

  /**
   * Tracks a new composite for leaks if the leak detector samples it. Returns the composite itself,
   * which records no accesses, unlike a result of {@link #compositeBuffer()}.
   */
  protected static CompositeByteBuf toLeakAwareBuffer(CompositeByteBuf buf) {
    return LeakTracking.watch(buf);
  }

  @Override
  public ByteBuf buffer() {
    return directByDefault ? directBuffer() : heapBuffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    return directByDefault ? directBuffer(initialCapacity) : heapBuffer(initialCapacity);
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return directByDefault
        ? directBuffer(initialCapacity, maxCapacity)
        : heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf ioBuffer() {
    return directBuffer();
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity) {
    return directBuffer(initialCapacity);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
    return directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf heapBuffer() {
    return newHeapBuffer(DEFAULT_INITIAL_CAPACITY, DEFAULT_MAX_CAPACITY);
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity) {
    return heapBuffer(initialCapacity, DEFAULT_MAX_CAPACITY);
  }

  @Override
  public ByteBuf heapBuffer(int initialCapacity, int maxCapacity) {
    checkedCapacity(initialCapacity, maxCapacity);
    return maxCapacity == 0 ? empty : newHeapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public ByteBuf directBuffer() {
    return newDirectBuffer(DEFAULT_INITIAL_CAPACITY, DEFAULT_MAX_CAPACITY);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity) {
    return directBuffer(initialCapacity, DEFAULT_MAX_CAPACITY);
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    checkedCapacity(initialCapacity, maxCapacity);
    return maxCapacity == 0 ? empty : newDirectBuffer(initialCapacity, maxCapacity);
  }

  /** Returns the initial capacity; fails if it is negative or above the maximum. */
  static int checkedCapacity(int initialCapacity, int maxCapacity) {
    return checked("initialCapacity", initialCapacity, maxCapacity);
  }

  private static int checked(String name, int capacity, int maxCapacity) {
    if ((capacity | maxCapacity | (maxCapacity - capacity)) < 0) {
      throw new IllegalArgumentException(
          name + ": " + capacity + " (expected: 0 to maxCapacity, " + maxCapacity + ")");
    }
    return capacity;
  }

  @Override
  public CompositeByteBuf compositeBuffer() {
    return compositeBuffer(DEFAULT_MAX_COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeBuffer(int maxNumComponents) {
    return directByDefault
        ? compositeDirectBuffer(maxNumComponents)
        : compositeHeapBuffer(maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer() {
    return compositeHeapBuffer(DEFAULT_MAX_COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer(int maxNumComponents) {
    return composite(false, maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer() {
    return compositeDirectBuffer(DEFAULT_MAX_COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
    return composite(true, maxNumComponents);
  }

  /** Creates a composite, and tracks it for leaks according to the level. */
  CompositeByteBuf composite(boolean isDirect, int maxNumComponents) {
    return LeakTracking.composite(this, isDirect, maxNumComponents);
  }

  /** Allocates a heap buffer; the capacities are valid. */
  protected abstract ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity);

  /** Allocates a direct buffer; the capacities are valid. */
  protected abstract ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity);

  /** {@inheritDoc} It doubles from 64 bytes to 4 MiB, then grows in steps of 4 MiB. */
  @Override
  public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
    checked("minNewCapacity", minNewCapacity, maxCapacity);
    if (minNewCapacity > GROWTH_STEP_BYTES) {
      long grown = (long) minNewCapacity - minNewCapacity % GROWTH_STEP_BYTES + GROWTH_STEP_BYTES;
      return (int) Math.min(grown, maxCapacity);
    }
    int least = Math.max(MIN_GROWN_CAPACITY, minNewCapacity);
    return Math.min(Integer.highestOneBit(least - 1) << 1, maxCapacity);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(directByDefault: " + directByDefault + ")";
  }
}
