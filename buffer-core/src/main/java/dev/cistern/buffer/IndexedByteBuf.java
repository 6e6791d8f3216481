/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.Checks.CHECK_ACCESSIBLE;
import static dev.cistern.buffer.Checks.CHECK_BOUNDS;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ReadOnlyBufferException;

/**
 * Indices, marks, growth, and the checks that come before every access: all that needs no look at a
 * byte.
 */
abstract class IndexedByteBuf extends ByteBuf {
  int readerIndex;
  int writerIndex;
  private int markedReaderIndex;
  private int markedWriterIndex;
  private int maxCapacity;

  /**
   * @param maxCapacity the most bytes that the buffer may grow to
   * @throws IllegalArgumentException if negative
   */
  IndexedByteBuf(int maxCapacity) {
    if (maxCapacity < 0) {
      throw new IllegalArgumentException("maxCapacity: " + maxCapacity + " (expected: >= 0)");
    }
    this.maxCapacity = maxCapacity;
  }

  /**
   * The capacity, or -1 once the buffer is released: so that one comparison finds both a released
   * buffer and an index out of bounds (seed rows B4, B5). It is made with what does not change in a
   * loop on its right side, so that a compiler has little left to do in each round.
   */
  int liveCapacity() {
    return !CHECK_ACCESSIBLE || refCnt() > 0 ? capacity() : -1;
  }

  /**
   * As {@link #liveCapacity}, and -1 also where every write is refused: what all writes are
   * compared with (seed rows B5, B10).
   */
  int writableCapacity() {
    return liveCapacity();
  }

  /**
   * Resets the buffer to that of a new one: indices and marks at 0. What rarely differs is compared
   * first: the compare-and-set of the release waits for every store before it.
   */
  final void resetIndices(int newMaxCapacity) {
    int differing = newMaxCapacity ^ maxCapacity;
    if ((readerIndex | writerIndex | markedReaderIndex | markedWriterIndex | differing) != 0) {
      readerIndex = 0;
      writerIndex = 0;
      markedReaderIndex = 0;
      markedWriterIndex = 0;
      maxCapacity = newMaxCapacity;
    }
  }

  // Checks. The failure paths are methods of their own, which keeps the good path small.

  /** Fails unless the buffer is live and {@code length} bytes from {@code index} on are inside. */
  final void check(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > liveCapacity() - length) {
        throw AccessFailures.access(this, index, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** As {@link #check}, and fails where writes are refused. */
  final void checkWrite(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > writableCapacity() - length) {
        throw AccessFailures.write(this, index, length);
      }
    } else if (writableCapacity() < 0 && (CHECK_ACCESSIBLE || isReadOnly())) {
      throw AccessFailures.write(this, index, length);
    }
  }

  /**
   * As {@link #check}, for the constant width of a number. Two comparisons, of which a compiler
   * drops the first where the index counts up from 0, and makes the second before the loop.
   */
  final void checkRead(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > liveCapacity() - width) {
        throw AccessFailures.access(this, index, width);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** As {@link #checkWrite}, for the constant width of a number. */
  final void checkSet(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > writableCapacity() - width) {
        throw AccessFailures.write(this, index, width);
      }
    } else {
      checkWrite(index, width);
    }
  }

  /** Takes {@code length} readable bytes; returns the index of the first. */
  final int takeReadable(int length) {
    int index = readable(length);
    readerIndex = index + length;
    return index;
  }

  /**
   * Fails unless {@code length} bytes can be read; returns the index of the first, which is the one
   * that was checked: another thread may move the reader index.
   */
  final int readable(int length) {
    int index = readerIndex;
    if (CHECK_BOUNDS) {
      int end = writerIndex;
      // The last one fails for a released buffer, and for a view of a root that has shrunk since.
      if (length < 0 || index > end - length || end > liveCapacity()) {
        throw AccessFailures.read(this, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
    return index;
  }

  /** Fails unless {@code minimumReadableBytes} can be read. */
  protected final void checkReadableBytes(int minimumReadableBytes) {
    readable(minimumReadableBytes);
  }

  /** Takes room for {@code length} bytes, growing if need be; returns the index of the first. */
  final int takeWritable(int length) {
    int index = makeRoom(length);
    writerIndex = index + length;
    return index;
  }

  /** As {@link #takeWritable}, but leaves the writer index: another thread may move it. */
  final int makeRoom(int length) {
    int index = writerIndex;
    if (index > writableCapacity() - length) {
      growSlow(index, length);
    }
    return index;
  }

  /**
   * As {@link #ensureWritable(int)}, which a subclass may have in another way; returns the writer
   * index that this is true of.
   */
  final int room(int minWritableBytes) {
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    int index = writerIndex;
    if (index > writableCapacity() - minWritableBytes) {
      refuseReadOnly();
      growSlow(index, minWritableBytes);
    }
    return index;
  }

  private void growSlow(int index, int length) {
    ensureAccessible();
    long end = (long) index + length;
    // A read-only buffer, or a view of a root that has shrunk, comes here although there is room.
    if (isReadOnly() || end > maxCapacity || end <= capacity()) {
      throw AccessFailures.growth(this, length);
    }
    capacity(grownCapacity(index, length));
    if (end > writableCapacity()) { // a subclass, or an allocator, that does as it likes
      throw AccessFailures.growth(this, length);
    }
  }

  private int grownCapacity(int index, int length) {
    int fast = maxFastWritableBytes();
    return fast >= length
        ? index + fast
        : alloc().calculateNewCapacity(index + length, maxCapacity);
  }

  final void refuseReadOnly() {
    if (isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
  }

  /** Fails if the buffer is released. */
  protected final void ensureAccessible() {
    if (CHECK_ACCESSIBLE && liveCapacity() < 0 && refCnt() == 0) {
      throw new IllegalReferenceCountException(0);
    }
  }

  /** Fails unless the byte at {@code index} may be touched. */
  protected final void checkIndex(int index) {
    check(index, 1);
  }

  /** Fails unless {@code fieldLength} bytes from {@code index} on may be touched. */
  protected final void checkIndex(int index, int fieldLength) {
    check(index, fieldLength);
  }

  /** As {@link #checkIndex(int, int)}, and for a source of {@code srcCapacity} bytes. */
  protected final void checkSrcIndex(int index, int length, int srcIndex, int srcCapacity) {
    check(index, length);
    checkOther("srcIndex", srcIndex, length, srcCapacity);
  }

  /** As {@link #checkIndex(int, int)}, and for a target of {@code dstCapacity} bytes. */
  protected final void checkDstIndex(int index, int length, int dstIndex, int dstCapacity) {
    check(index, length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  /** Fails unless {@code length} bytes can be read, and written to a target. */
  protected final void checkDstIndex(int length, int dstIndex, int dstCapacity) {
    checkReadableBytes(length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  static void checkOther(String name, int index, int length, int capacity) {
    if (CHECK_BOUNDS && (index | length | (index + length) | (capacity - (index + length))) < 0) {
      throw AccessFailures.other(name, index, length, capacity);
    }
  }

  /** Fails unless the buffer is live and may have that capacity. */
  protected final void checkNewCapacity(int newCapacity) {
    ensureAccessible();
    if (CHECK_BOUNDS && (newCapacity < 0 || newCapacity > maxCapacity)) {
      throw new IllegalArgumentException(
          "newCapacity: " + newCapacity + " (expected: 0 to " + maxCapacity + ", maxCapacity)");
    }
  }

  private void checkIndices(int newReaderIndex, int newWriterIndex) {
    if (CHECK_BOUNDS
        && (newReaderIndex < 0 || newReaderIndex > newWriterIndex || newWriterIndex > capacity())) {
      throw AccessFailures.indices(this, newReaderIndex, newWriterIndex);
    }
  }

  // Indices

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public int maxCapacity() {
    return maxCapacity;
  }

  /** Changes the maximum capacity. */
  protected final void maxCapacity(int maxCapacity) {
    this.maxCapacity = maxCapacity;
  }

  @Override
  public int readerIndex() {
    return readerIndex;
  }

  @Override
  public ByteBuf readerIndex(int readerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.readerIndex = readerIndex;
    return this;
  }

  @Override
  public int writerIndex() {
    return writerIndex;
  }

  @Override
  public ByteBuf writerIndex(int writerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.writerIndex = writerIndex;
    return this;
  }

  @Override
  public ByteBuf setIndex(int readerIndex, int writerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.readerIndex = readerIndex;
    this.writerIndex = writerIndex;
    return this;
  }

  /** Moves indices that lie beyond a new capacity back to it. */
  protected final void trimIndicesToCapacity(int newCapacity) {
    if (writerIndex > newCapacity) {
      readerIndex = Math.min(readerIndex, newCapacity);
      writerIndex = newCapacity;
    }
  }

  @Override
  public int readableBytes() {
    return writerIndex - readerIndex;
  }

  @Override
  public int writableBytes() {
    return capacity() - writerIndex;
  }

  @Override
  public int maxWritableBytes() {
    return maxCapacity() - writerIndex;
  }

  @Override
  public boolean isReadable() {
    return writerIndex > readerIndex;
  }

  @Override
  public boolean isReadable(int size) {
    return writerIndex - readerIndex >= size;
  }

  @Override
  public boolean isWritable() {
    return !isReadOnly() && capacity() > writerIndex;
  }

  @Override
  public boolean isWritable(int size) {
    return !isReadOnly() && capacity() - writerIndex >= size;
  }

  @Override
  public ByteBuf clear() {
    readerIndex = 0;
    writerIndex = 0;
    return this;
  }

  @Override
  public ByteBuf markReaderIndex() {
    markedReaderIndex = readerIndex;
    return this;
  }

  @Override
  public ByteBuf resetReaderIndex() {
    return readerIndex(markedReaderIndex);
  }

  @Override
  public ByteBuf markWriterIndex() {
    markedWriterIndex = writerIndex;
    return this;
  }

  @Override
  public ByteBuf resetWriterIndex() {
    return writerIndex(markedWriterIndex);
  }

  @Override
  public ByteBuf discardReadBytes() {
    refuseReadOnly();
    ensureAccessible();
    if (readerIndex > 0) {
      discard();
    }
    return this;
  }

  @Override
  public ByteBuf discardSomeReadBytes() {
    ensureAccessible();
    if (readerIndex > 0 && (readerIndex == writerIndex || readerIndex >= capacity() >>> 1)) {
      discard();
    }
    return this;
  }

  private void discard() {
    int discarded = readerIndex;
    int kept = Math.max(0, writerIndex - discarded); // another thread may move it
    if (kept > 0) {
      setBytes(0, this, discarded, kept);
    }
    adjustMarkers(discarded);
    readerIndex = 0;
    writerIndex = kept;
  }

  /** Moves both marks down, to 0 at the lowest. */
  protected final void adjustMarkers(int decrement) {
    markedReaderIndex = Math.max(0, markedReaderIndex - decrement);
    markedWriterIndex = Math.max(0, markedWriterIndex - decrement);
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    room(minWritableBytes);
    return this;
  }

  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    if (isReadOnly()) {
      return 1;
    }
    ensureAccessible();
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    if (writerIndex <= writableCapacity() - minWritableBytes) {
      return 0;
    }
    if (minWritableBytes <= writableBytes()) {
      return 1; // the root of a view has shrunk
    }
    if (minWritableBytes <= maxCapacity() - writerIndex) {
      capacity(grownCapacity(writerIndex, minWritableBytes));
      return 2;
    }
    if (!force || capacity() == maxCapacity()) {
      return 1;
    }
    capacity(maxCapacity());
    return 3;
  }

  /** What a stream or a channel says that it gave may be anything. */
  final int wrote(int written) {
    if (written > 0) {
      checkIndices(readerIndex, writerIndex + written);
      writerIndex += written;
    }
    return written;
  }

  /** As {@link #wrote}, of what a channel says that it took. */
  final int gave(int taken) {
    checkIndices(readerIndex + taken, writerIndex);
    readerIndex += taken;
    return taken;
  }

  final int advanceWriter(int written) {
    writerIndex = Math.addExact(writerIndex, Math.max(0, written));
    return written;
  }

  @Override
  public String toString() {
    String name = getClass().getSimpleName();
    if (refCnt() == 0) {
      return name + "(freed)";
    }
    String maximum = maxCapacity == Integer.MAX_VALUE ? "" : "/" + maxCapacity;
    ByteBuf unwrapped = unwrap();
    return name
        + "(ridx: "
        + readerIndex
        + ", widx: "
        + writerIndex
        + ", cap: "
        + capacity()
        + maximum
        + (unwrapped == null ? "" : ", unwrapped: " + unwrapped)
        + ")";
  }
}
