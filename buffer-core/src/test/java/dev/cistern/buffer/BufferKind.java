/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The kinds of buffers that the contract suite runs with: storage by allocator by view, wrappers of
 * another buffer, wrappers of given memory, and composites. Tests choose among them by {@link
 * Trait}.
 */
public enum BufferKind {
  POOLED_DIRECT(TestAllocators.POOLED, true, View.NONE),
  POOLED_HEAP(TestAllocators.POOLED, false, View.NONE),
  UNCACHED_DIRECT(TestAllocators.UNCACHED, true, View.NONE),
  UNCACHED_HEAP(TestAllocators.UNCACHED, false, View.NONE),
  UNPOOLED_DIRECT(TestAllocators.UNPOOLED, true, View.NONE),
  UNPOOLED_HEAP(TestAllocators.UNPOOLED, false, View.NONE),
  SLICE_OF_POOLED_DIRECT(TestAllocators.POOLED, true, View.SLICE),
  SLICE_OF_POOLED_HEAP(TestAllocators.POOLED, false, View.SLICE),
  SLICE_OF_SLICE_OF_UNPOOLED(TestAllocators.UNPOOLED, true, View.SLICE_OF_SLICE),
  DUPLICATE_OF_POOLED_DIRECT(TestAllocators.POOLED, true, View.DUPLICATE),
  DUPLICATE_OF_SLICE_OF_POOLED_HEAP(TestAllocators.POOLED, false, View.DUPLICATE_OF_SLICE),

  COMPOSITE(BufferKind::composite, Trait.SCATTERED, Trait.UNLIMITED),
  COMPOSITE_OF_ONE(
      (capacity, max) ->
          new CompositeByteBuf(TestAllocators.UNPOOLED, false, 16)
              .addComponent(true, TestAllocators.POOLED.heapBuffer(capacity).writeZero(capacity)),
      Trait.SCATTERED,
      Trait.UNLIMITED),
  SLICE_OF_COMPOSITE(
      (capacity, max) -> sliced(composite(capacity + 2 * BufferKind.MARGIN, max), capacity),
      Trait.SCATTERED,
      Trait.VIEW,
      Trait.FIXED),
  SWAPPED(
      (capacity, max) -> swapped(pooledDirect(capacity, max)),
      Trait.DIRECT,
      Trait.LITTLE_ENDIAN,
      Trait.WRAPPER),
  UNRELEASABLE(
      (capacity, max) ->
          Unpooled.unreleasableBuffer(UnpooledByteBufAllocator.DEFAULT.heapBuffer(capacity, max)),
      Trait.UNCOUNTED,
      Trait.WRAPPER),
  LEAK_AWARE(
      (capacity, max) -> LeakAwareBuffers.of(pooledDirect(capacity, max)),
      Trait.DIRECT,
      Trait.WRAPPER),
  LEAK_AWARE_COMPOSITE(
      (capacity, max) ->
          filled(LeakAwareBuffers.composite(TestAllocators.UNPOOLED, false, 16), capacity),
      Trait.SCATTERED,
      Trait.UNLIMITED,
      Trait.WRAPPER),
  WRAPPED_ARRAY(
      (capacity, max) -> Unpooled.wrappedBuffer(new byte[Math.max(1, capacity)], 0, capacity),
      Trait.FIXED),
  WRAPPED_DIRECT_NIO(
      (capacity, max) -> Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(capacity)),
      Trait.DIRECT,
      Trait.FIXED),

  READ_ONLY(
      BufferKind::pooledDirect, ByteBuf::asReadOnly, Trait.DIRECT, Trait.VIEW, Trait.READ_ONLY),
  READ_ONLY_NIO(
      BufferKind::pooledDirect,
      BufferKind::readOnlyNio,
      Trait.DIRECT,
      Trait.FIXED,
      Trait.READ_ONLY),
  FIXED_COMPOSITE(
      BufferKind::pooledDirect,
      BufferKind::fixedComposite,
      Trait.SCATTERED,
      Trait.FIXED,
      Trait.READ_ONLY);

  /** A difference between a kind and a pooled heap buffer. */
  public enum Trait {
    /** All memory is outside of the Java heap. */
    DIRECT,
    /** The buffer shares the bytes of another buffer, but not its indices. */
    VIEW,
    /** The buffer shares the bytes and the indices of another buffer, and forwards calls to it. */
    WRAPPER,
    /** The buffer neither grows nor shrinks. */
    FIXED,
    /** The buffer grows beyond the requested maximum. */
    UNLIMITED,
    /** The memory is in several places, or will be when the buffer grows. */
    SCATTERED,
    /** The low byte of a number is the first. */
    LITTLE_ENDIAN,
    /** Changes of the reference count have no effect. */
    UNCOUNTED,
    /** Only {@link #of} makes such a buffer. */
    READ_ONLY
  }

  private enum View {
    NONE,
    SLICE,
    SLICE_OF_SLICE,
    DUPLICATE,
    DUPLICATE_OF_SLICE
  }

  /** Function that makes a writable buffer. */
  private interface Maker {
    ByteBuf make(int capacity, int maxCapacity);
  }

  private static final int MARGIN = 7;

  @SuppressWarnings("ImmutableEnumChecker") // allocators are shared and mutable
  private final ByteBufAllocator allocator;

  @SuppressWarnings("ImmutableEnumChecker") // a function
  private final Maker maker;

  /** Function that makes the final buffer from one that holds its bytes. */
  @SuppressWarnings("ImmutableEnumChecker") // a function
  private final UnaryOperator<ByteBuf> seal;

  @SuppressWarnings("ImmutableEnumChecker") // is not changed
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  BufferKind(ByteBufAllocator allocator, boolean direct, View view) {
    this.allocator = allocator;
    maker = (capacity, maxCapacity) -> viewed(view, allocator, direct, capacity, maxCapacity);
    seal = buffer -> buffer;
    if (direct) {
      traits.add(Trait.DIRECT);
    }
    if (view != View.NONE) {
      traits.add(Trait.VIEW);
    }
    if (view != View.NONE && view != View.DUPLICATE) {
      traits.add(Trait.FIXED);
    }
  }

  BufferKind(Maker maker, Trait... traits) {
    this(maker, buffer -> buffer, traits);
  }

  BufferKind(Maker maker, UnaryOperator<ByteBuf> seal, Trait... traits) {
    allocator = TestAllocators.UNPOOLED;
    this.maker = maker;
    this.seal = seal;
    this.traits.addAll(List.of(traits));
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /**
   * Returns the allocator of buffers like these; an unpooled one for kinds without an allocator.
   */
  ByteBufAllocator allocator() {
    return allocator;
  }

  /** Returns the writable kinds. */
  static List<BufferKind> writable() {
    return List.of(values()).stream().filter(kind -> !kind.is(Trait.READ_ONLY)).toList();
  }

  /** Returns a buffer with both indices at 0 and every byte 0, which one release frees. */
  ByteBuf buffer(int capacity) {
    return buffer(capacity, Integer.MAX_VALUE);
  }

  /**
   * Returns a buffer as {@link #buffer(int)} does; the maximum applies if the kind can grow and has
   * one.
   */
  ByteBuf buffer(int capacity, int maxCapacity) {
    if (is(Trait.READ_ONLY)) {
      throw new AssertionError(this + " cannot be written to");
    }
    return zeroed(capacity, maxCapacity);
  }

  private ByteBuf zeroed(int capacity, int maxCapacity) {
    ByteBuf buffer = maker.make(capacity, maxCapacity);
    return buffer.setZero(0, capacity).setIndex(0, 0);
  }

  /** Returns a buffer whose readable bytes are {@code bytes}. */
  public ByteBuf of(byte... bytes) {
    ByteBuf buffer = zeroed(bytes.length, Integer.MAX_VALUE);
    return seal.apply(buffer.setBytes(0, bytes).writerIndex(bytes.length));
  }

  private static ByteBuf viewed(
      View view, ByteBufAllocator allocator, boolean direct, int capacity, int max) {
    return switch (view) {
      case NONE -> root(allocator, direct, capacity, max);
      case DUPLICATE -> root(allocator, direct, capacity, max).duplicate();
      case SLICE -> sliced(root(allocator, direct, capacity + 2 * MARGIN, max), capacity);
      case SLICE_OF_SLICE ->
          sliced(
              sliced(root(allocator, direct, capacity + 4 * MARGIN, max), capacity + 2 * MARGIN),
              capacity);
      case DUPLICATE_OF_SLICE ->
          sliced(root(allocator, direct, capacity + 2 * MARGIN, max), capacity).duplicate();
    };
  }

  private static ByteBuf sliced(ByteBuf buffer, int capacity) {
    return buffer.slice(MARGIN, capacity);
  }

  private static ByteBuf root(
      ByteBufAllocator allocator, boolean direct, int capacity, int maxCapacity) {
    int max = Math.max(capacity, maxCapacity);
    return direct ? allocator.directBuffer(capacity, max) : allocator.heapBuffer(capacity, max);
  }

  private static ByteBuf pooledDirect(int capacity, int maxCapacity) {
    return TestAllocators.POOLED.directBuffer(capacity, maxCapacity);
  }

  /** Returns a composite of a heap buffer, an empty buffer, and a slice of a direct buffer. */
  private static ByteBuf composite(int capacity, int maxCapacity) {
    return filled(new CompositeByteBuf(TestAllocators.UNPOOLED, false, 16), capacity);
  }

  private static ByteBuf filled(CompositeByteBuf composite, int capacity) {
    int first = capacity / 3;
    int rest = capacity - first;
    ByteBuf last = TestAllocators.POOLED.directBuffer(rest + 2 * MARGIN).slice(MARGIN, rest);
    return composite
        .addComponent(TestAllocators.UNPOOLED.heapBuffer(first).setIndex(0, first))
        .addComponent(TestAllocators.UNPOOLED.heapBuffer(1))
        .addComponent(last);
  }

  @SuppressWarnings("deprecation") // order() is deprecated
  private static ByteBuf swapped(ByteBuf buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuf readOnlyNio(ByteBuf filled) {
    ByteBuffer copy = ByteBuffer.allocateDirect(filled.readableBytes());
    filled.readBytes(copy).release();
    return Unpooled.wrappedBuffer(copy.flip().asReadOnlyBuffer());
  }

  /** Returns a fixed composite of three slices, the second of which is empty. */
  private static ByteBuf fixedComposite(ByteBuf filled) {
    int first = filled.readableBytes() / 3;
    ByteBuf one = filled.retainedSlice(0, first);
    ByteBuf none = filled.retainedSlice(first, 0);
    ByteBuf rest = filled.slice(first, filled.readableBytes() - first);
    return FixedCompositeByteBuf.of(TestAllocators.UNPOOLED, one, none, rest);
  }
}
