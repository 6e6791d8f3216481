/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The choices that every allocator makes the same way: defaults, preferences, growth. */
public abstract class AbstractByteBufAllocator implements ByteBufAllocator {
  /** Components that a composite has before they are copied into one. */
  static final int DEFAULT_MAX_COMPONENTS = 16;

  private static final int DEFAULT_INITIAL_CAPACITY = 256;
  private static final int DEFAULT_MAX_CAPACITY = Integer.MAX_VALUE;
  private static final int LEAST_GROWN_CAPACITY = 64;

  /** Up to here a growing buffer doubles, from here on it grows by as much. */
  private static final int GROWTH_STEP_BYTES = 4 << 20;

  private final boolean directByDefault;

  /** What a request for nothing that cannot grow gets. */
  private final ByteBuf empty;

  /** Prefers heap buffers. */
  protected AbstractByteBufAllocator() {
    this(false);
  }

  /**
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   */
  @SuppressWarnings("this-escape") // the empty buffer only keeps its allocator
  protected AbstractByteBufAllocator(boolean preferDirect) {
    directByDefault = preferDirect;
    empty = new EmptyByteBuf(this);
  }

  /**
   * Begins to watch a buffer for being leaked, if the detector takes it into its sample (seed rows
   * E1, E7): allocators call it for what they make. At the levels that record accesses, what comes
   * back is a wrapper, which is to be handed out in the buffer's place.
   */
  protected static ByteBuf toLeakAwareBuffer(ByteBuf buf) {
    return LeakTracking.watch(buf);
  }

  /**
   * As {@link #toLeakAwareBuffer(ByteBuf)}, and gives the composite itself: it records no accesses,
   * unlike what {@link #compositeBuffer()} makes.
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

  private boolean isIoDirect() {
    return directByDefault || isDirectBufferPooled();
  }

  @Override
  public ByteBuf ioBuffer() {
    return ioBuffer(DEFAULT_INITIAL_CAPACITY);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity) {
    return isIoDirect() ? directBuffer(initialCapacity) : heapBuffer(initialCapacity);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
    return isIoDirect()
        ? directBuffer(initialCapacity, maxCapacity)
        : heapBuffer(initialCapacity, maxCapacity);
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

  /** The initial capacity, if it is neither negative nor above the maximum. */
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
    return LeakTracking.composite(this, false, maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer() {
    return compositeDirectBuffer(DEFAULT_MAX_COMPONENTS);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
    return LeakTracking.composite(this, true, maxNumComponents);
  }

  /** Makes a heap buffer; the capacities are valid. */
  protected abstract ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity);

  /** Makes a direct buffer; the capacities are valid. */
  protected abstract ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity);

  /** Doubles from 64 bytes up to 4 MiB, then goes in steps of 4 MiB (seed row A14). */
  @Override
  public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
    checked("minNewCapacity", minNewCapacity, maxCapacity);
    long grown;
    if (minNewCapacity < GROWTH_STEP_BYTES) {
      int least = Math.max(LEAST_GROWN_CAPACITY, minNewCapacity);
      grown = 1L << (Integer.SIZE - Integer.numberOfLeadingZeros(least - 1));
    } else {
      long steps = minNewCapacity / GROWTH_STEP_BYTES;
      grown = minNewCapacity == GROWTH_STEP_BYTES ? steps : steps + 1;
      grown *= GROWTH_STEP_BYTES;
    }
    return (int) Math.min(grown, maxCapacity);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(directByDefault: " + directByDefault + ")";
  }
}
