/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The kinds of buffers that the contract suite runs with: storage by allocator by view. */
enum BufferKind {
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
  DUPLICATE_OF_SLICE_OF_POOLED_HEAP(TestAllocators.POOLED, false, View.DUPLICATE_OF_SLICE);

  private enum View {
    NONE,
    SLICE,
    SLICE_OF_SLICE,
    DUPLICATE,
    DUPLICATE_OF_SLICE
  }

  private static final int MARGIN_BYTES = 7;

  @SuppressWarnings("ImmutableEnumChecker") // a buffer kind is no value, and allocators are shared
  private final ByteBufAllocator allocator;

  private final boolean direct;
  private final View view;

  BufferKind(ByteBufAllocator allocator, boolean direct, View view) {
    this.allocator = allocator;
    this.direct = direct;
    this.view = view;
  }

  boolean isDirect() {
    return direct;
  }

  /** False for slices, whose capacity is fixed. */
  boolean canGrow() {
    return view == View.NONE || view == View.DUPLICATE;
  }

  boolean isView() {
    return view != View.NONE;
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /** A buffer with both indices at 0, every byte 0, which one release frees. */
  ByteBuf buffer(int capacity) {
    return buffer(capacity, Integer.MAX_VALUE);
  }

  /** As above; the maximum applies where the kind can grow. */
  ByteBuf buffer(int capacity, int maxCapacity) {
    ByteBuf buffer =
        switch (view) {
          case NONE -> root(capacity, maxCapacity);
          case DUPLICATE -> root(capacity, maxCapacity).duplicate();
          case SLICE ->
              root(capacity + 2 * MARGIN_BYTES, Integer.MAX_VALUE).slice(MARGIN_BYTES, capacity);
          case SLICE_OF_SLICE ->
              root(capacity + 4 * MARGIN_BYTES, Integer.MAX_VALUE)
                  .slice(MARGIN_BYTES, capacity + 2 * MARGIN_BYTES)
                  .slice(MARGIN_BYTES, capacity);
          case DUPLICATE_OF_SLICE ->
              root(capacity + 2 * MARGIN_BYTES, Integer.MAX_VALUE)
                  .slice(MARGIN_BYTES, capacity)
                  .duplicate();
        };
    return buffer.setIndex(0, 0);
  }

  private ByteBuf root(int capacity, int maxCapacity) {
    ByteBuf root =
        direct
            ? allocator.directBuffer(capacity, maxCapacity)
            : allocator.heapBuffer(capacity, maxCapacity);
    return root.setZero(0, capacity);
  }

  /** A buffer that holds {@code bytes}, ready to be read. */
  ByteBuf of(byte... bytes) {
    return buffer(bytes.length).setBytes(0, bytes).writerIndex(bytes.length);
  }
}
