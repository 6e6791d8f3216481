/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCountUtil;
import dev.cistern.util.ResourceLeakTracker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that consists of several buffers, its components, without a copy of their bytes.
 *
 * <p>A component has the bytes that were readable in its buffer when the buffer was added. The
 * composite owns the buffer even if the call fails, and releases it when it no longer needs it. The
 * writer index moves only in methods that say so. Removing components moves no index.
 *
 * <p>If there are more than {@link #maxNumComponents} components, the composite copies all of them
 * into one. Growth adds a component. Methods refuse the number of a component that does not exist
 * with {@link IndexOutOfBoundsException}.
 */
public class CompositeByteBuf extends AbstractCompositeByteBuf implements Iterable<ByteBuf> {
  private final boolean direct;
  private final int maxNumComponents;

  /** The leak tracker of this object; null for most objects. */
  @Nullable ResourceLeakTracker<ByteBuf> tracker;

  /**
   * Creates a composite without components.
   *
   * @param alloc the allocator of the memory that this buffer needs for itself
   * @param direct whether that memory is direct
   * @param maxNumComponents the maximum number of components, at least 1
   * @throws IllegalArgumentException if {@code maxNumComponents} is less than 1
   */
  public CompositeByteBuf(ByteBufAllocator alloc, boolean direct, int maxNumComponents) {
    super(alloc);
    if (maxNumComponents < 1) {
      throw new IllegalArgumentException(
          "maxNumComponents: " + maxNumComponents + " (expected: >= 1)");
    }
    this.direct = direct;
    this.maxNumComponents = maxNumComponents;
  }

  /**
   * Creates a composite of buffers, up to the first that is null. All bytes are readable.
   *
   * @throws IllegalArgumentException if {@code maxNumComponents} is less than 1
   */
  public CompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, ByteBuf... buffers) {
    this(alloc, direct, maxNumComponents, Arrays.asList(buffers));
  }

  /**
   * Creates a composite of buffers, up to the first that is null. All bytes are readable.
   *
   * @throws IllegalArgumentException if {@code maxNumComponents} is less than 1
   */
  @SuppressWarnings("this-escape") // calls addComponent only after all fields are set
  public CompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, Iterable<ByteBuf> buffers) {
    this(alloc, direct, checkedOrReleased(alloc, maxNumComponents, buffers));
    addAllOrNone(buffers);
  }

  /**
   * Returns {@code maxNumComponents}. If the constructor will refuse the arguments, releases the
   * buffers, because the caller has handed them over.
   */
  private static int checkedOrReleased(
      @Nullable ByteBufAllocator alloc,
      int maxNumComponents,
      Iterable<? extends @Nullable ByteBuf> buffers) {
    if (alloc == null || maxNumComponents < 1) {
      if (buffers instanceof ByteBuf buffer) {
        buffer.release();
      } else {
        releaseRemaining(buffers.iterator());
      }
    }
    return maxNumComponents;
  }

  /**
   * Adds all buffers. If that fails, releases all of them, because no caller gets the composite.
   */
  private void addAllOrNone(Iterable<? extends @Nullable ByteBuf> buffers) {
    try {
      addAll(true, 0, buffers);
    } catch (RuntimeException | Error failed) {
      suppressing(failed, () -> drop(0, count()));
      throw failed;
    }
  }

  @Override
  protected void deallocate() {
    LeakTracking.close(tracker, this);
    super.deallocate();
  }

  // Adding

  /** Adds a component at the end; the writer index does not move. */
  public CompositeByteBuf addComponent(ByteBuf buffer) {
    return addComponent(false, count(), buffer);
  }

  /** Adds components at the end; the writer index does not move. */
  public CompositeByteBuf addComponents(ByteBuf... buffers) {
    return addComponents(false, buffers);
  }

  /** Adds components at the end; the writer index does not move. */
  public CompositeByteBuf addComponents(Iterable<ByteBuf> buffers) {
    return addComponents(false, buffers);
  }

  /** Adds a component before component {@code cIndex}; the writer index does not move. */
  public CompositeByteBuf addComponent(int cIndex, ByteBuf buffer) {
    return addComponent(false, cIndex, buffer);
  }

  /**
   * Adds a component at the end.
   *
   * @param increaseWriterIndex whether the writer index moves by the length of the component
   */
  public CompositeByteBuf addComponent(boolean increaseWriterIndex, ByteBuf buffer) {
    return addComponent(increaseWriterIndex, count(), buffer);
  }

  /**
   * Adds components at the end, up to the first that is null.
   *
   * @param increaseWriterIndex whether the writer index moves by the length of the components
   */
  public CompositeByteBuf addComponents(boolean increaseWriterIndex, ByteBuf... buffers) {
    return addAll(increaseWriterIndex, count(), Arrays.asList(buffers));
  }

  /**
   * Adds components at the end, up to the first that is null.
   *
   * @param increaseWriterIndex whether the writer index moves by the length of the components
   */
  public CompositeByteBuf addComponents(boolean increaseWriterIndex, Iterable<ByteBuf> buffers) {
    return addAll(increaseWriterIndex, count(), buffers);
  }

  /**
   * Adds a component before component {@code cIndex}.
   *
   * @param increaseWriterIndex whether the writer index moves by the length of the component
   * @throws IllegalArgumentException if the capacity would pass {@link Integer#MAX_VALUE}
   */
  public CompositeByteBuf addComponent(boolean increaseWriterIndex, int cIndex, ByteBuf buffer) {
    Objects.requireNonNull(buffer, "buffer");
    addOrRelease(increaseWriterIndex, cIndex, buffer);
    consolidateIfTooMany();
    return this;
  }

  /** Adds components before component {@code cIndex}; the writer index does not move. */
  public CompositeByteBuf addComponents(int cIndex, ByteBuf... buffers) {
    return addAll(false, cIndex, Arrays.asList(buffers));
  }

  /** Adds components before component {@code cIndex}; the writer index does not move. */
  public CompositeByteBuf addComponents(int cIndex, Iterable<ByteBuf> buffers) {
    return addAll(false, cIndex, buffers);
  }

  private CompositeByteBuf addAll(
      boolean increaseWriterIndex, int cIndex, Iterable<? extends @Nullable ByteBuf> buffers) {
    if (buffers instanceof ByteBuf buffer) { // a composite is both; the caller means the buffer
      return addComponent(increaseWriterIndex, cIndex, buffer);
    }
    Iterator<? extends @Nullable ByteBuf> all = buffers.iterator();
    int next = cIndex;
    try {
      checkPosition(cIndex);
      for (ByteBuf buffer; all.hasNext() && (buffer = all.next()) != null; next++) {
        addOrRelease(increaseWriterIndex, next, buffer);
      }
      releaseRemaining(all);
      consolidateIfTooMany();
      return this;
    } catch (RuntimeException | Error failed) {
      suppressing(failed, () -> releaseRemaining(all));
      throw failed;
    }
  }

  /** Releases the buffers after a null or a failure, because the caller has handed them over. */
  private static void releaseRemaining(Iterator<? extends @Nullable ByteBuf> rest) {
    rest.forEachRemaining(ReferenceCountUtil::safeRelease);
  }

  /** Runs a cleanup after a failure. A failure of the cleanup is suppressed. */
  private static void suppressing(Throwable cause, Runnable rest) {
    try {
      rest.run();
    } catch (RuntimeException | Error failed) {
      if (failed != cause) {
        cause.addSuppressed(failed);
      }
    }
  }

  private void addOrRelease(boolean increaseWriterIndex, int cIndex, ByteBuf buffer) {
    int length;
    try {
      checkPosition(cIndex);
      length = add(cIndex, buffer, buffer.readerIndex(), buffer.readableBytes());
    } catch (RuntimeException | Error failed) {
      suppressing(failed, buffer::release);
      throw failed;
    }
    if (increaseWriterIndex) {
      writerIndex += length; // fits into an int, but may pass the end after a removal
    }
  }

  private int add(int cIndex, ByteBuf buffer, int index, int length) {
    // The allocator, or code of the added buffer, may have released this composite.
    if (Checks.CHECK_ACCESSIBLE && (refCnt() == 0 || buffer.refCnt() == 0)) {
      throw new IllegalReferenceCountException(0);
    }
    int end =
        Math.max(capacity(), writerIndex()); // the writer index may pass the end after a removal
    if (length > Integer.MAX_VALUE - end) {
      throw new IllegalArgumentException(
          "component of %s bytes (expected: up to %s, with a capacity or writer index of %s)"
              .formatted(length, Integer.MAX_VALUE - end, end));
    }
    insert(cIndex, bigEndian(buffer), index, length);
    changed();
    return length;
  }

  /**
   * Returns the buffer with big-endian numbers: a composite ignores the byte order of its
   * components.
   */
  @SuppressWarnings("deprecation") // order() is deprecated
  private static ByteBuf bigEndian(ByteBuf buffer) {
    return buffer.order(ByteOrder.BIG_ENDIAN);
  }

  /**
   * Adds the readable bytes of a buffer at the end. If the buffer is a composite, adds its
   * components and releases it. A buffer without readable bytes is only released.
   *
   * @param increaseWriterIndex whether the writer index moves by the number of these bytes
   */
  public CompositeByteBuf addFlattenedComponents(boolean increaseWriterIndex, ByteBuf buffer) {
    Objects.requireNonNull(buffer, "buffer");
    int from = buffer.readerIndex();
    int to = buffer.writerIndex();
    if (from == to) {
      buffer.release();
    } else if (Component.bare(buffer) instanceof CompositeByteBuf composite) {
      int before = count();
      try {
        ensureAccessible();
        composite.check(from, to - from);
        addComponentsOf(composite, from, to);
        if (increaseWriterIndex) {
          writerIndex = Math.addExact(writerIndex, to - from);
        }
      } catch (RuntimeException | Error failed) {
        if (count() > before) {
          suppressing(failed, () -> drop(before, count()));
        }
        suppressing(failed, buffer::release);
        throw failed;
      }
      buffer.release();
      consolidateIfTooMany();
    } else {
      addComponent(increaseWriterIndex, buffer);
    }
    return this;
  }

  private void addComponentsOf(CompositeByteBuf other, int from, int to) {
    int index = from;
    for (int i = other.indexOfComponent(from); index < to; i++) {
      Component part = other.at(i);
      int length = Math.min(part.end, to) - index;
      if (length > 0) {
        ByteBuf source = part.source.retain();
        try {
          add(count(), source, part.sourceIndex(index), length);
        } catch (RuntimeException | Error failed) {
          suppressing(failed, source::release);
          throw failed;
        }
      }
      index += length;
    }
  }

  private void consolidateIfTooMany() {
    if (count() > maxNumComponents) {
      consolidateRange(0, count());
    }
  }

  // Removing and merging

  /** Removes a component and releases it; no index moves. */
  public CompositeByteBuf removeComponent(int cIndex) {
    return removeComponents(cIndex, 1);
  }

  /** Removes components and releases them; no index moves. */
  public CompositeByteBuf removeComponents(int cIndex, int numComponents) {
    checkComponents(cIndex, numComponents);
    drop(cIndex, cIndex + numComponents);
    return this;
  }

  private void drop(int from, int to) {
    Component[] gone = between(from, to);
    remove(from, to);
    changed();
    releaseAll(gone, to - from);
  }

  /** Copies all components into one. */
  public CompositeByteBuf consolidate() {
    ensureAccessible();
    consolidateRange(0, count());
    return this;
  }

  /** Copies {@code numComponents} components into one. */
  public CompositeByteBuf consolidate(int cIndex, int numComponents) {
    checkComponents(cIndex, numComponents);
    consolidateRange(cIndex, cIndex + numComponents);
    return this;
  }

  private void consolidateRange(int from, int to) {
    if (to - from > 1) {
      Component[] gone = between(from, to);
      int start = start(from);
      int length = start(to) - start;
      ByteBuf merged = copied(memory(length), start, length);
      try {
        insert(to, merged, 0, length); // its end may pass 2^31 until the old ones are removed
      } catch (RuntimeException | Error failed) {
        suppressing(failed, merged::release);
        throw failed;
      }
      remove(from, to);
      changed();
      releaseAll(gone, gone.length);
    }
  }

  private ByteBuf memory(int length) {
    return direct ? alloc().directBuffer(length) : alloc().heapBuffer(length);
  }

  /** Releases the components that are completely read. The indices move with the bytes. */
  public CompositeByteBuf discardReadComponents() {
    ensureAccessible();
    int kept = firstKept();
    dropStart(kept, kept == count() ? readerIndex() : start(kept));
    return this;
  }

  /**
   * Discards the bytes before the reader index: releases whole components, and discards the first
   * bytes of the next one.
   */
  @Override
  public CompositeByteBuf discardReadBytes() {
    ensureAccessible();
    dropStart(firstKept(), readerIndex());
    return this;
  }

  /** Discards as {@link #discardReadComponents} does, which copies nothing. */
  @Override
  public CompositeByteBuf discardSomeReadBytes() {
    return discardReadComponents();
  }

  /**
   * Returns the number of the first component that is not completely read. First moves indices that
   * a removal left above the capacity down to it.
   */
  private int firstKept() {
    trimIndicesToCapacity(capacity());
    int read = readerIndex();
    if (read == 0) {
      return 0;
    }
    return read < capacity() ? indexOfComponent(read) : count();
  }

  private void dropStart(int kept, int bytes) {
    if ((kept | bytes) != 0) {
      int reader = readerIndex() - bytes;
      int writer = writerIndex() - bytes;
      Component[] gone = between(0, kept);
      removeStart(kept, bytes);
      changed();
      try {
        setIndex(reader, writer);
        adjustMarkers(bytes);
      } finally {
        releaseAll(gone, kept);
      }
    }
  }

  /** Returns a range as slices of the components in it, without a copy. */
  public List<ByteBuf> decompose(int offset, int length) {
    check(offset, length);
    List<ByteBuf> slices = new ArrayList<>();
    int end = offset + length;
    int i = length == 0 ? 0 : indexOfComponent(offset);
    for (int from = offset; from < end; i++) {
      Component part = at(i);
      int bytes = Math.min(part.end, end) - from;
      slices.add(part.source.slice(part.sourceIndex(from), bytes));
      from += bytes;
    }
    return slices;
  }

  // Components

  /**
   * Returns slices of the components, in order. The iterator fails if the number of components
   * changes meanwhile.
   */
  @Override
  public Iterator<ByteBuf> iterator() {
    ensureAccessible();
    int length = count();
    return IntStream.range(0, length).mapToObj(i -> sliceOfOne(i, length)).iterator();
  }

  private ByteBuf sliceOfOne(int i, int expectedCount) {
    int count = count();
    if (count != expectedCount) {
      throw new ConcurrentModificationException(
          "components: "
              + count
              + " (expected: "
              + expectedCount
              + ", as when the iterator was created)");
    }
    return at(i).slice();
  }

  /** Returns the number of components. */
  public int numComponents() {
    return count();
  }

  /** Returns the maximum number of components. */
  public int maxNumComponents() {
    return maxNumComponents;
  }

  /** Returns the number of the component that contains the byte at {@code offset}. */
  public int toComponentIndex(int offset) {
    checkIndex(offset);
    return indexOfComponent(offset);
  }

  /** Returns the index of the first byte of a component. */
  public int toByteIndex(int cIndex) {
    checkComponents(cIndex, 1);
    return start(cIndex);
  }

  /** Returns a duplicate of the buffer that was added as component {@code cIndex}. */
  public ByteBuf component(int cIndex) {
    checkComponents(cIndex, 1);
    return at(cIndex).source.duplicate();
  }

  /** Returns a duplicate of the buffer that contains the byte at {@code offset}. */
  public ByteBuf componentAtOffset(int offset) {
    return at(toComponentIndex(offset)).source.duplicate();
  }

  /** Returns component {@code cIndex}. The caller must not change it or its indices. */
  public ByteBuf internalComponent(int cIndex) {
    checkComponents(cIndex, 1);
    return at(cIndex).slice();
  }

  /**
   * Returns the component that contains the byte at {@code offset}. The caller must not change it
   * or its indices.
   */
  public ByteBuf internalComponentAtOffset(int offset) {
    return at(toComponentIndex(offset)).slice();
  }

  private void checkPosition(int cIndex) {
    ensureAccessible();
    if (cIndex < 0 || cIndex > count()) {
      throw new IndexOutOfBoundsException(
          "cIndex: " + cIndex + " (expected: 0 to " + count() + ", numComponents)");
    }
  }

  private void checkComponents(int cIndex, int numComponents) {
    ensureAccessible();
    Objects.checkFromIndexSize(cIndex, numComponents, count());
  }

  // Methods of a buffer

  /**
   * Changes the capacity. The composite grows by a new component, or releases the components after
   * the new end.
   */
  @Override
  public CompositeByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    grow(newCapacity);
    return this;
  }

  @Override
  final void grow(int newCapacity) {
    int more = newCapacity - capacity();
    if (more > 0) {
      ByteBuf grown = memory(more);
      try {
        add(count(), grown.setIndex(0, more), 0, more);
      } catch (RuntimeException | Error failed) {
        suppressing(failed, grown::release);
        throw failed;
      }
      consolidateIfTooMany();
    } else if (more < 0) {
      trimIndicesToCapacity(newCapacity);
      int kept = newCapacity == 0 ? 0 : indexOfComponent(newCapacity - 1) + 1;
      if (kept > 0) {
        at(kept - 1).end = newCapacity;
      }
      drop(kept, count());
    }
  }

  @Override
  public ByteBuf copy(int index, int length) {
    check(index, length);
    return copied(memory(length), index, length);
  }

  // Methods that return this buffer, declared so that calls can be chained

  @Override
  public CompositeByteBuf clear() {
    return (CompositeByteBuf) super.clear();
  }

  @Override
  public CompositeByteBuf ensureWritable(int minWritableBytes) {
    return (CompositeByteBuf) super.ensureWritable(minWritableBytes);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuffer dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    return (CompositeByteBuf) super.getBytes(index, out, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf markReaderIndex() {
    return (CompositeByteBuf) super.markReaderIndex();
  }

  @Override
  public CompositeByteBuf markWriterIndex() {
    return (CompositeByteBuf) super.markWriterIndex();
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int length) {
    return (CompositeByteBuf) super.readBytes(dst, length);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.readBytes(dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuffer dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(OutputStream out, int length) throws IOException {
    return (CompositeByteBuf) super.readBytes(out, length);
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.readBytes(dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf readerIndex(int readerIndex) {
    return (CompositeByteBuf) super.readerIndex(readerIndex);
  }

  @Override
  public CompositeByteBuf resetReaderIndex() {
    return (CompositeByteBuf) super.resetReaderIndex();
  }

  @Override
  public CompositeByteBuf resetWriterIndex() {
    return (CompositeByteBuf) super.resetWriterIndex();
  }

  @Override
  public CompositeByteBuf retain() {
    return (CompositeByteBuf) super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    return (CompositeByteBuf) super.retain(increment);
  }

  @Override
  public CompositeByteBuf setBoolean(int index, boolean value) {
    return (CompositeByteBuf) super.setBoolean(index, value);
  }

  @Override
  public CompositeByteBuf setByte(int index, int value) {
    return (CompositeByteBuf) super.setByte(index, value);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, length);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuffer src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf setChar(int index, int value) {
    return (CompositeByteBuf) super.setChar(index, value);
  }

  @Override
  public CompositeByteBuf setDouble(int index, double value) {
    return (CompositeByteBuf) super.setDouble(index, value);
  }

  @Override
  public CompositeByteBuf setFloat(int index, float value) {
    return (CompositeByteBuf) super.setFloat(index, value);
  }

  @Override
  public CompositeByteBuf setIndex(int readerIndex, int writerIndex) {
    return (CompositeByteBuf) super.setIndex(readerIndex, writerIndex);
  }

  @Override
  public CompositeByteBuf setInt(int index, int value) {
    return (CompositeByteBuf) super.setInt(index, value);
  }

  @Override
  public CompositeByteBuf setLong(int index, long value) {
    return (CompositeByteBuf) super.setLong(index, value);
  }

  @Override
  public CompositeByteBuf setMedium(int index, int value) {
    return (CompositeByteBuf) super.setMedium(index, value);
  }

  @Override
  public CompositeByteBuf setShort(int index, int value) {
    return (CompositeByteBuf) super.setShort(index, value);
  }

  @Override
  public CompositeByteBuf setZero(int index, int length) {
    return (CompositeByteBuf) super.setZero(index, length);
  }

  @Override
  public CompositeByteBuf skipBytes(int length) {
    return (CompositeByteBuf) super.skipBytes(length);
  }

  @Override
  public CompositeByteBuf touch() {
    return (CompositeByteBuf) super.touch();
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    return (CompositeByteBuf) super.touch(hint);
  }

  @Override
  public CompositeByteBuf writeBoolean(boolean value) {
    return (CompositeByteBuf) super.writeBoolean(value);
  }

  @Override
  public CompositeByteBuf writeByte(int value) {
    return (CompositeByteBuf) super.writeByte(value);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int length) {
    return (CompositeByteBuf) super.writeBytes(src, length);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    return (CompositeByteBuf) super.writeBytes(src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuffer src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    return (CompositeByteBuf) super.writeBytes(src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf writeChar(int value) {
    return (CompositeByteBuf) super.writeChar(value);
  }

  @Override
  public CompositeByteBuf writeDouble(double value) {
    return (CompositeByteBuf) super.writeDouble(value);
  }

  @Override
  public CompositeByteBuf writeFloat(float value) {
    return (CompositeByteBuf) super.writeFloat(value);
  }

  @Override
  public CompositeByteBuf writeInt(int value) {
    return (CompositeByteBuf) super.writeInt(value);
  }

  @Override
  public CompositeByteBuf writeLong(long value) {
    return (CompositeByteBuf) super.writeLong(value);
  }

  @Override
  public CompositeByteBuf writeMedium(int value) {
    return (CompositeByteBuf) super.writeMedium(value);
  }

  @Override
  public CompositeByteBuf writeShort(int value) {
    return (CompositeByteBuf) super.writeShort(value);
  }

  @Override
  public CompositeByteBuf writeZero(int length) {
    return (CompositeByteBuf) super.writeZero(length);
  }

  @Override
  public CompositeByteBuf writerIndex(int writerIndex) {
    return (CompositeByteBuf) super.writerIndex(writerIndex);
  }
}
