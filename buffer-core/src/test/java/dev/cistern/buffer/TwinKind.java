/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The kinds of buffers that are compared with Netty's buffers of the same kind. */
enum TwinKind {
  UNPOOLED_HEAP(TwinKind::unpooledHeap),
  UNPOOLED_DIRECT(TwinKind::unpooledDirect),
  POOLED_HEAP(TwinKind::pooledHeap),
  POOLED_DIRECT(TwinKind::pooledDirect),

  SLICE_OF_HEAP((bytes, random) -> slice(unpooledHeap(inMargins(bytes), random))),
  SLICE_OF_POOLED((bytes, random) -> slice(pooledDirect(inMargins(bytes), random))),
  SLICE_OF_SLICE(
      (bytes, random) -> slice(slice(unpooledDirect(inMargins(inMargins(bytes)), random)))),
  RETAINED_SLICE(
      (bytes, random) -> retained("retainedSlice", unpooledDirect(inMargins(bytes), random))),
  DUPLICATE((bytes, random) -> view("duplicate", unpooledHeap(bytes, random))),
  DUPLICATE_OF_POOLED((bytes, random) -> view("duplicate", pooledHeap(bytes, random))),
  DUPLICATE_OF_SLICE(
      (bytes, random) -> view("duplicate", slice(unpooledDirect(inMargins(bytes), random)))),

  READ_ONLY_HEAP((bytes, random) -> view("asReadOnly", unpooledHeap(bytes, random))),
  READ_ONLY_POOLED((bytes, random) -> view("asReadOnly", pooledDirect(bytes, random))),
  READ_ONLY_SLICE(
      (bytes, random) -> view("asReadOnly", slice(unpooledDirect(inMargins(bytes), random)))),

  SWAPPED_HEAP((bytes, random) -> swapped(unpooledHeap(bytes, random))),
  SWAPPED_DIRECT((bytes, random) -> swapped(unpooledDirect(bytes, random))),
  SWAPPED_POOLED((bytes, random) -> swapped(pooledDirect(bytes, random))),
  SWAPPED_SLICE((bytes, random) -> swapped(slice(unpooledHeap(inMargins(bytes), random)))),
  SWAPPED_READ_ONLY((bytes, random) -> swapped(view("asReadOnly", unpooledHeap(bytes, random)))),

  COMPOSITE((bytes, random) -> composite(bytes, random, 1)),
  COMPOSITE_OF_COMPOSITES((bytes, random) -> composite(bytes, random, 2)),
  COMPOSITE_OF_REFUSING_PARTS(TwinKind::compositeOfRefusingParts),
  SLICE_OF_COMPOSITE((bytes, random) -> slice(composite(inMargins(bytes), random, 1))),
  DUPLICATE_OF_COMPOSITE((bytes, random) -> view("duplicate", composite(bytes, random, 1))),
  SWAPPED_COMPOSITE((bytes, random) -> swapped(composite(bytes, random, 1))),
  READ_ONLY_COMPOSITE((bytes, random) -> view("asReadOnly", composite(bytes, random, 1))),
  FIXED_COMPOSITE(TwinKind::fixedComposite),

  EMPTY((bytes, random) -> Both.constant("buffer.Unpooled", "EMPTY_BUFFER")),
  UNRELEASABLE_HEAP((bytes, random) -> unreleasable(unpooledHeap(bytes, random))),
  UNRELEASABLE_DIRECT((bytes, random) -> unreleasable(unpooledDirect(bytes, random))),

  LEAK_AWARE_HEAP((bytes, random) -> watched(unpooledHeap(bytes, random))),
  LEAK_AWARE_DIRECT((bytes, random) -> watched(unpooledDirect(bytes, random))),
  LEAK_AWARE_POOLED((bytes, random) -> watched(pooledDirect(bytes, random))),
  LEAK_AWARE_SLICE((bytes, random) -> slice(watched(unpooledDirect(inMargins(bytes), random)))),
  LEAK_AWARE_COMPOSITE(
      (bytes, random) ->
          filled(
              LeakAwareBuffers.composite(
                  TestAllocators.UNPOOLED, true, 2 * TwinKind.MAX_COMPONENTS),
              bytes,
              random,
              1)),

  WRAPPED_ARRAY((bytes, random) -> wrapped(new Both(bytes.clone(), bytes.clone()))),
  WRAPPED_PART_OF_ARRAY(TwinKind::wrappedPart),
  WRAPPED_HEAP_NIO((bytes, random) -> wrapped(nio(bytes, false, false))),
  WRAPPED_DIRECT_NIO((bytes, random) -> wrapped(nio(bytes, true, false))),
  WRAPPED_READ_ONLY_HEAP_NIO((bytes, random) -> wrapped(nio(bytes, false, true))),
  WRAPPED_READ_ONLY_DIRECT_NIO((bytes, random) -> wrapped(nio(bytes, true, true))),
  NAMED_HEAP((bytes, random) -> named("buffer.UnpooledHeapByteBuf", bytes)),
  NAMED_DIRECT((bytes, random) -> named("buffer.UnpooledDirectByteBuf", bytes));

  /**
   * Function that makes both buffers; all of {@code bytes} is readable if the kind has room for it.
   */
  private interface Maker {
    Both make(byte[] bytes, SplittableRandom random);
  }

  static final int MAX_CAPACITY = 2000;

  private static final String BUFFER = "buffer.ByteBuf";
  private static final String UNPOOLED = "buffer.Unpooled";
  private static final String ALLOCATOR = "buffer.ByteBufAllocator";
  private static final int MARGIN_BYTES = 7;
  private static final int MAX_COMPONENTS = 6;

  static final Both UNPOOLED_ALLOCATOR =
      new Both(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, TestAllocators.UNPOOLED);
  static final Both POOLED_ALLOCATOR =
      new Both(new io.netty.buffer.PooledByteBufAllocator(true), TestAllocators.POOLED);

  @SuppressWarnings("ImmutableEnumChecker") // a function
  private final Maker maker;

  TwinKind(Maker maker) {
    this.maker = maker;
  }

  Twin twin(byte[] bytes, SplittableRandom random) {
    return new Twin(maker.make(bytes, random), this, 0);
  }

  boolean isPooled() {
    return name().contains("POOLED") && !name().contains("UNPOOLED");
  }

  boolean isLeakAware() {
    return name().startsWith("LEAK_AWARE");
  }

  boolean isComposite() {
    return name().contains("COMPOSITE") && this != FIXED_COMPOSITE;
  }

  boolean isReadOnly() {
    return name().contains("READ_ONLY") || this == FIXED_COMPOSITE;
  }

  private static byte[] inMargins(byte[] bytes) {
    byte[] longer = new byte[bytes.length + 2 * MARGIN_BYTES];
    System.arraycopy(bytes, 0, longer, MARGIN_BYTES, bytes.length);
    return longer;
  }

  private static Both unpooledHeap(byte[] bytes, SplittableRandom random) {
    return allocated(UNPOOLED_ALLOCATOR, "heapBuffer", bytes);
  }

  private static Both unpooledDirect(byte[] bytes, SplittableRandom random) {
    return allocated(UNPOOLED_ALLOCATOR, "directBuffer", bytes);
  }

  private static Both pooledHeap(byte[] bytes, SplittableRandom random) {
    return allocated(POOLED_ALLOCATOR, "heapBuffer", bytes);
  }

  private static Both pooledDirect(byte[] bytes, SplittableRandom random) {
    return allocated(POOLED_ALLOCATOR, "directBuffer", bytes);
  }

  private static Both allocated(Both allocator, String method, byte[] bytes) {
    return allocator
        .call(ALLOCATOR, method, bytes.length, MAX_CAPACITY)
        .call(BUFFER, "writeBytes", bytes);
  }

  private static Both view(String method, Both buffer) {
    return buffer.call(BUFFER, method);
  }

  private static Both slice(Both buffer) {
    int length = ((ByteBuf) buffer.ours()).capacity() - 2 * MARGIN_BYTES;
    return buffer.call(BUFFER, "slice", MARGIN_BYTES, length);
  }

  private static Both retained(String method, Both buffer) {
    int length = ((ByteBuf) buffer.ours()).capacity() - 2 * MARGIN_BYTES;
    Both view = buffer.call(BUFFER, method, MARGIN_BYTES, length);
    buffer.call(BUFFER, "release");
    return view;
  }

  private static Both swapped(Both buffer) {
    return buffer.call(BUFFER, "order", ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns a composite of up to six parts, some of them empty; from depth 2 on, the parts are
   * composites.
   */
  static Both composite(byte[] bytes, SplittableRandom random, int depth) {
    return filled(
        new CompositeByteBuf(TestAllocators.UNPOOLED, true, 2 * MAX_COMPONENTS),
        bytes,
        random,
        depth);
  }

  /** Fills a composite. The allocator makes Netty's composite, and can watch it for leaks. */
  private static Both filled(
      CompositeByteBuf ours, byte[] bytes, SplittableRandom random, int depth) {
    Both composite =
        new Both(
            io.netty.buffer.UnpooledByteBufAllocator.DEFAULT.compositeBuffer(2 * MAX_COMPONENTS),
            ours);
    for (byte[] part : parts(bytes, random)) {
      Both component = depth > 1 ? composite(part, random, depth - 1) : part(part, random);
      composite.call("buffer.CompositeByteBuf", "addComponent", true, component);
    }
    return composite;
  }

  /** Returns a composite in which some parts are read-only. */
  private static Both compositeOfRefusingParts(byte[] bytes, SplittableRandom random) {
    Both composite = composite(new byte[0], random, 1);
    List<byte[]> parts = parts(bytes, random);
    parts.add(random.nextInt(parts.size() + 1), new byte[0]);
    for (byte[] part : parts) {
      Both component = part(part, random);
      boolean isReadOnly = part.length == 0 || random.nextBoolean();
      composite.call(
          "buffer.CompositeByteBuf",
          "addComponent",
          true,
          isReadOnly ? view("asReadOnly", component) : component);
    }
    return composite;
  }

  private static Both part(byte[] bytes, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> unpooledHeap(bytes, random);
      case 1 -> unpooledDirect(bytes, random);
      case 2 -> slice(unpooledHeap(inMargins(bytes), random));
      default -> wrapped(nio(bytes, true, false));
    };
  }

  private static List<byte[]> parts(byte[] bytes, SplittableRandom random) {
    List<byte[]> parts = new ArrayList<>();
    int from = 0;
    for (int left = random.nextInt(MAX_COMPONENTS); left > 0 || from < bytes.length; left--) {
      int length = left <= 0 ? bytes.length - from : random.nextInt(bytes.length - from + 1);
      parts.add(java.util.Arrays.copyOfRange(bytes, from, from + length));
      from += length;
    }
    return parts;
  }

  private static Both fixedComposite(byte[] bytes, SplittableRandom random) {
    List<byte[]> parts = parts(bytes, random);
    while (parts.size() < 2) {
      parts.add(new byte[0]); // with fewer, Netty makes another kind of buffer
    }
    Both array =
        Both.array(BUFFER, parts.stream().map(part -> part(part, random)).toArray(Both[]::new));
    return new Both(
        io.netty.buffer.Unpooled.wrappedUnmodifiableBuffer(
            (io.netty.buffer.ByteBuf[]) array.theirs()),
        FixedCompositeByteBuf.of(TestAllocators.UNPOOLED, (ByteBuf[]) array.ours()));
  }

  /**
   * Makes Cistern's buffer leak-aware; Netty's allocator does so for Netty's ({@link
   * NettyLeakLevel}).
   */
  private static Both watched(Both buffer) {
    return new Both(buffer.theirs(), LeakAwareBuffers.of((ByteBuf) buffer.ours()));
  }

  private static Both unreleasable(Both buffer) {
    return Both.make(UNPOOLED, "unreleasableBuffer", buffer);
  }

  private static Both wrapped(Both memory) {
    return Both.make(UNPOOLED, "wrappedBuffer", memory);
  }

  private static Both wrappedPart(byte[] bytes, SplittableRandom random) {
    byte[] longer = inMargins(bytes);
    return Both.make(
        UNPOOLED, "wrappedBuffer", new Both(longer, longer.clone()), MARGIN_BYTES, bytes.length);
  }

  private static Both nio(byte[] bytes, boolean direct, boolean readOnly) {
    return new Both(oneNio(bytes, direct, readOnly), oneNio(bytes, direct, readOnly));
  }

  private static ByteBuffer oneNio(byte[] bytes, boolean direct, boolean readOnly) {
    int capacity = bytes.length + 2 * MARGIN_BYTES;
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    buffer.position(MARGIN_BYTES).put(bytes).flip().position(MARGIN_BYTES);
    return readOnly ? buffer.asReadOnlyBuffer() : buffer;
  }

  private static Both named(String type, byte[] bytes) {
    return Both.construct(type, UNPOOLED_ALLOCATOR, bytes.length, MAX_CAPACITY)
        .call(BUFFER, "writeBytes", bytes);
  }
}
