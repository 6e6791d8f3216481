/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.util.ByteProcessor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of several buffers, its components, one after the other, as if they were one buffer
 * (seed rows C3, C4).
 *
 * <p>Of each component it knows the root, under all slices, duplicates and wrappers, and what turns
 * an index of its own into one of the root. An access goes straight to the root, which checks that
 * it still is live and large enough: a component that somebody else released or shrank is refused,
 * as each buffer is.
 *
 * <p>Where an index is, is guessed first, as if all components had the same length, which most
 * often is right and costs one multiplication; then looked for where the last one was found; then
 * searched for by halves.
 */
abstract class JoinedByteBuf extends AbstractReferenceCountedByteBuf {
  static final ByteBuffer EMPTY_NIO_BUFFER = ByteBuffer.allocateDirect(0);
  private static final byte[] NO_BYTES = {};
  private static final ByteBuf[] NO_BUFFERS = {};

  // A component's numbers in spans: where it starts, then what is to be added to an index to get
  // one of the root. The next one's start is its end; after the last follows the capacity.
  private static final int SPAN = 2;
  private static final int SHIFT = 1;
  private static final int END = 2;
  private static final int[] NO_SPANS = {0, 0, 0};

  /** Fixed point, 32 bits after the point. */
  private static final int GUESS_SHIFT = 32;

  private static final int RELEASED = -1;

  /** In places of the table that are not used: who reads there without right finds it released. */
  private static final ByteBuf GONE = gone();

  private int[] spans = NO_SPANS;
  private ByteBuf[] roots = NO_BUFFERS;
  private ByteBuf[] sources = NO_BUFFERS;
  private int count;

  /** The capacity, or -1 once released. */
  private int limit;

  /** Components per byte. */
  private long guessFactor;

  /** Where in spans the last search ended; written by any reader, and checked by each. */
  private int last;

  JoinedByteBuf(int maxCapacity) {
    super(maxCapacity);
  }

  private static ByteBuf gone() {
    ByteBuf gone = UnpooledByteBufAllocator.DEFAULT.heapBuffer(0, 0);
    gone.release();
    return gone;
  }

  // The table of components. Whoever changes it calls changed() in the end.

  final int count() {
    return count;
  }

  /** The buffer that was given as component {@code i}, and is released with this one. */
  final ByteBuf source(int i) {
    return sources[i];
  }

  final ByteBuf[] sources(int from, int to) {
    return Arrays.copyOfRange(sources, from, to);
  }

  final int start(int i) {
    return spans[i * SPAN];
  }

  final int end(int i) {
    return spans[i * SPAN + END];
  }

  /** The index in the given buffer that an index of this one stands for. */
  final int sourceIndex(int i, int index) {
    return index + spans[i * SPAN + SHIFT] - offsetInRoot(bare(sources[i]));
  }

  /** The component that has the byte at a valid index. */
  final int indexOfComponent(int index) {
    return locate(spans, index) / SPAN;
  }

  /** Makes room for {@code more} components. */
  final void reserve(int more) {
    int needed = count + more;
    if (needed > roots.length) {
      int length = Math.max(needed, roots.length * 2);
      roots = Arrays.copyOf(roots, length);
      Arrays.fill(roots, count, length, GONE);
      sources = Arrays.copyOf(sources, length);
      spans = Arrays.copyOf(spans, (length + 1) * SPAN);
    }
  }

  /** Adds {@code length} bytes of a buffer as component {@code i}. */
  final void insert(int i, ByteBuf source, int sourceIndex, int length) {
    reserve(1);
    int at = i * SPAN;
    int start = spans[at];
    System.arraycopy(spans, at, spans, at + SPAN, (count - i) * SPAN + 1);
    System.arraycopy(roots, i, roots, i + 1, count - i);
    System.arraycopy(sources, i, sources, i + 1, count - i);
    count++;
    roots[i] = rootOf(bare(source));
    sources[i] = source;
    spans[at + SHIFT] = sourceIndex + offsetInRoot(bare(source)) - start;
    move(i + 1, length);
  }

  /** Takes components out of the table; they are not released. */
  final void remove(int from, int to) {
    int gone = start(to) - start(from);
    takeOut(from, to);
    move(from, -gone);
  }

  /** Takes the first bytes out of the table, and the components before {@code kept} with them. */
  final void removeStart(int kept, int bytes) {
    takeOut(0, kept);
    move(0, -bytes);
    spans[0] = 0;
  }

  /** Cuts the last bytes of a component, before all behind it are removed. */
  final void cutEnd(int i, int end) {
    spans[i * SPAN + END] = end;
  }

  private void takeOut(int from, int to) {
    System.arraycopy(spans, to * SPAN, spans, from * SPAN, (count - to) * SPAN + 1);
    System.arraycopy(roots, to, roots, from, count - to);
    System.arraycopy(sources, to, sources, from, count - to);
    int left = count - (to - from);
    Arrays.fill(roots, left, count, GONE);
    Arrays.fill(sources, left, count, null);
    count = left;
  }

  /** Moves the component {@code from} and all behind it, and the capacity. */
  private void move(int from, int distance) {
    int at = from * SPAN;
    for (int end = count * SPAN; at < end; at += SPAN) {
      spans[at] += distance;
      spans[at + SHIFT] -= distance;
    }
    spans[at] += distance;
  }

  /** After each change of the table. */
  final void changed() {
    int capacity = spans[count * SPAN];
    limit = capacity;
    last = 0;
    guessFactor = capacity == 0 ? 0 : ((long) count << GUESS_SHIFT) / capacity;
  }

  /** What is found under a writable view; one that refuses writes stays. */
  private static ByteBuf rootOf(ByteBuf source) {
    return source instanceof ViewByteBuf view && !view.isReadOnly() ? view.unwrap() : source;
  }

  /** Where index 0 of a buffer is in {@link #rootOf}. */
  private static int offsetInRoot(ByteBuf source) {
    return source instanceof ViewByteBuf view && !view.isReadOnly() ? view.offset() : 0;
  }

  /** A buffer without the wrappers that change nothing of its bytes. */
  static ByteBuf bare(ByteBuf buffer) {
    return buffer;
  }

  /** Releases all components, also after one of them fails; then that failure is thrown. */
  @Override
  protected void deallocate() {
    ByteBuf[] released = sources;
    int length = count;
    count = 0;
    sources = NO_BUFFERS;
    roots = NO_BUFFERS; // not emptied: a reader in another thread finds released ones there
    spans = NO_SPANS;
    changed();
    if (Checks.CHECK_ACCESSIBLE) {
      limit = RELEASED;
    }
    releaseAll(released, length);
  }

  /** Releases buffers, also after one of them fails; then that failure is thrown. */
  static void releaseAll(@Nullable ByteBuf[] buffers, int length) {
    RuntimeException failure = null;
    for (int i = 0; i < length; i++) {
      ByteBuf buffer = buffers[i];
      try {
        if (buffer != null) {
          buffer.release();
        }
      } catch (RuntimeException failed) {
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  final int liveCapacity() {
    return limit;
  }

  @Override
  public int capacity() {
    return Math.max(limit, 0);
  }

  // Finding a component

  private int locate(int[] table, int index) {
    int at = (int) ((index * guessFactor) >>> GUESS_SHIFT) * SPAN;
    return index >= table[at] && index < table[at + END] ? at : locateSlow(table, index);
  }

  private int locateSlow(int[] table, int index) {
    int at = last;
    if (index < table[at] || index >= table[at + END]) {
      at = search(table, index);
      last = at;
    }
    return at;
  }

  /** Without a branch that depends on what is found, since that could not be foreseen. */
  private int search(int[] table, int index) {
    int found = 0;
    for (int left = count; left > 1; ) {
      int half = left >>> 1;
      int middle = found + half;
      found = table[middle * SPAN] <= index ? middle : found;
      left -= half;
    }
    return found * SPAN;
  }

  /** Where in spans a range starts. */
  private int first(int index, int length) {
    return length == 0 ? 0 : locate(spans, index);
  }

  /** How much of a range up to {@code end} is in the component at {@code at}. */
  private int bytesIn(int at, int index, int end) {
    return Math.min(spans[at + END], end) - index;
  }

  private ByteBuf root(int at) {
    return roots[at / SPAN];
  }

  private int rootIndex(int at, int index) {
    return index + spans[at + SHIFT];
  }

  // Numbers: in one component most often, else by their halves.

  @Override
  protected byte _getByte(int index) {
    int[] table = spans;
    int at = locate(table, index);
    return roots[at / SPAN].getByte(index + table[at + SHIFT]);
  }

  @Override
  protected short _getShort(int index) {
    int[] table = spans;
    int at = locate(table, index);
    return index <= table[at + END] - Short.BYTES
        ? roots[at / SPAN].getShort(index + table[at + SHIFT])
        : (short) ((_getByte(index) << 8) | (_getByte(index + 1) & 0xFF));
  }

  @Override
  protected short _getShortLE(int index) {
    return Short.reverseBytes(_getShort(index));
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return ((_getShort(index) & 0xFFFF) << 8) | (_getByte(index + 2) & 0xFF);
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return (_getShortLE(index) & 0xFFFF) | (_getByte(index + 2) & 0xFF) << 16;
  }

  @Override
  protected int _getInt(int index) {
    int[] table = spans;
    int at = locate(table, index);
    return index <= table[at + END] - Integer.BYTES
        ? roots[at / SPAN].getInt(index + table[at + SHIFT])
        : (_getShort(index) << 16) | (_getShort(index + 2) & 0xFFFF);
  }

  @Override
  protected int _getIntLE(int index) {
    return Integer.reverseBytes(_getInt(index));
  }

  @Override
  protected long _getLong(int index) {
    int[] table = spans;
    int at = locate(table, index);
    return index <= table[at + END] - Long.BYTES
        ? roots[at / SPAN].getLong(index + table[at + SHIFT])
        : ((long) _getInt(index) << 32) | (_getInt(index + 4) & 0xFFFFFFFFL);
  }

  @Override
  protected long _getLongLE(int index) {
    return Long.reverseBytes(_getLong(index));
  }

  @Override
  protected void _setByte(int index, int value) {
    int[] table = spans;
    int at = locate(table, index);
    roots[at / SPAN].setByte(index + table[at + SHIFT], value);
  }

  @Override
  protected void _setShort(int index, int value) {
    int[] table = spans;
    int at = locate(table, index);
    if (index <= table[at + END] - Short.BYTES) {
      roots[at / SPAN].setShort(index + table[at + SHIFT], value);
    } else {
      _setByte(index, value >> 8);
      _setByte(index + 1, value);
    }
  }

  @Override
  protected void _setShortLE(int index, int value) {
    _setShort(index, Short.reverseBytes((short) value));
  }

  @Override
  protected void _setMedium(int index, int value) {
    _setShort(index, value >> 8);
    _setByte(index + 2, value);
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    _setShortLE(index, value);
    _setByte(index + 2, value >> 16);
  }

  @Override
  protected void _setInt(int index, int value) {
    int[] table = spans;
    int at = locate(table, index);
    if (index <= table[at + END] - Integer.BYTES) {
      roots[at / SPAN].setInt(index + table[at + SHIFT], value);
    } else {
      _setShort(index, value >> 16);
      _setShort(index + 2, value);
    }
  }

  @Override
  protected void _setIntLE(int index, int value) {
    _setInt(index, Integer.reverseBytes(value));
  }

  @Override
  protected void _setLong(int index, long value) {
    int[] table = spans;
    int at = locate(table, index);
    if (index <= table[at + END] - Long.BYTES) {
      roots[at / SPAN].setLong(index + table[at + SHIFT], value);
    } else {
      _setInt(index, (int) (value >> 32));
      _setInt(index + 4, (int) value);
    }
  }

  @Override
  protected void _setLongLE(int index, long value) {
    _setLong(index, Long.reverseBytes(value));
  }

  // Bytes in bulk: component by component

  @Override
  void copyOut(int index, byte @Nullable [] base, long address, int length) {
    int at = first(index, length);
    for (int i = index, end = index + length; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      int from = rootIndex(at, i);
      if (root(at) instanceof AbstractByteBuf root) {
        root.check(from, bytes);
        root.copyOut(from, base, address + (i - index), bytes);
      } else {
        for (int k = 0; k < bytes; k++) {
          MemoryAccess.putByte(base, address + (i - index) + k, root(at).getByte(from + k));
        }
      }
      i += bytes;
    }
  }

  @Override
  void copyIn(int index, byte @Nullable [] base, long address, int length) {
    int at = first(index, length);
    for (int i = index, end = index + length; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      int to = rootIndex(at, i);
      if (root(at) instanceof AbstractByteBuf root) {
        root.checkWrite(to, bytes);
        root.copyIn(to, base, address + (i - index), bytes);
      } else {
        for (int k = 0; k < bytes; k++) {
          root(at).setByte(to + k, MemoryAccess.getByte(base, address + (i - index) + k));
        }
      }
      i += bytes;
    }
  }

  /** Within itself by way of an array: a component could be overwritten before it is read. */
  @Override
  @SuppressWarnings("ReferenceEquality") // the same buffer, not the same bytes
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    if (target == this || target.unwrap() == this) {
      super.copyTo(index, target, targetIndex, length);
      return;
    }
    int at = first(index, length);
    for (int i = index, end = index + length; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      root(at).getBytes(rootIndex(at, i), target, targetIndex + (i - index), bytes);
      i += bytes;
    }
  }

  @Override
  void fillZero(int index, int length) {
    int at = first(index, length);
    for (int i = index, end = index + length; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      root(at).setZero(rootIndex(at, i), bytes);
      i += bytes;
    }
  }

  // Searches

  @Override
  int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    int at = first(start, end - start);
    for (int i = start; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      int found = root(at).forEachByte(rootIndex(at, i), bytes, processor);
      if (found >= 0) {
        return found - spans[at + SHIFT];
      }
      i += bytes;
    }
    return -1;
  }

  @Override
  int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    int at = rStart < rEnd ? 0 : locate(spans, rStart);
    for (int end = rStart + 1; end > rEnd; at -= SPAN) {
      int from = Math.max(spans[at], rEnd);
      int found = root(at).forEachByteDesc(rootIndex(at, from), end - from, processor);
      if (found >= 0) {
        return found - spans[at + SHIFT];
      }
      end = from;
    }
    return -1;
  }

  @Override
  int firstIndexOf(int from, int to, byte value) {
    int at = first(from, to - from);
    for (int i = from; i < to; at += SPAN) {
      int bytes = bytesIn(at, i, to);
      int found = root(at).indexOf(rootIndex(at, i), rootIndex(at, i) + bytes, value);
      if (found >= 0) {
        return found - spans[at + SHIFT];
      }
      i += bytes;
    }
    return -1;
  }

  @Override
  int lastIndexOf(int from, int to, byte value) {
    int at = from < to ? locate(spans, to - 1) : 0;
    for (int end = to; end > from; at -= SPAN) {
      int start = Math.max(spans[at], from);
      if (start < end) { // an empty range would be searched the other way
        int found = root(at).indexOf(rootIndex(at, end), rootIndex(at, start), value);
        if (found >= 0) {
          return found - spans[at + SHIFT];
        }
      }
      end = start;
    }
    return -1;
  }

  // What the memory is: that of the only component, if there is one

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isDirect() {
    for (int i = 0; i < count; i++) {
      if (!roots[i].isDirect()) {
        return false;
      }
    }
    return count > 0;
  }

  @Override
  public boolean hasArray() {
    return count == 0 || (count == 1 && roots[0].hasArray());
  }

  @Override
  public byte[] array() {
    return count == 0 ? NO_BYTES : only("array").array();
  }

  @Override
  public int arrayOffset() {
    return count == 0 ? 0 : only("array").arrayOffset() + spans[SHIFT];
  }

  @Override
  public boolean hasMemoryAddress() {
    return count == 0 || (count == 1 && roots[0].hasMemoryAddress());
  }

  @Override
  public long memoryAddress() {
    return count == 0
        ? MemoryAccess.address(EMPTY_NIO_BUFFER)
        : only("memory address").memoryAddress() + spans[SHIFT];
  }

  private ByteBuf only(String what) {
    if (count != 1) {
      throw new UnsupportedOperationException(count + " components have no common " + what);
    }
    return roots[0];
  }

  @Override
  public int nioBufferCount() {
    int buffers = 0;
    for (int i = 0; i < count; i++) {
      buffers += roots[i].nioBufferCount();
    }
    return count == 0 ? 1 : buffers;
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    check(index, length);
    return count == 0
        ? EMPTY_NIO_BUFFER.duplicate()
        : only("NIO buffer").internalNioBuffer(rootIndex(0, index), length);
  }

  /** A view where the range is within one component, else a copy. */
  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    ByteBuffer[] pieces = nioBuffers(index, length);
    if (pieces.length == 1) {
      return pieces[0];
    }
    ByteBuffer merged = ByteBuffer.allocate(length);
    for (ByteBuffer piece : pieces) {
      merged.put(piece);
    }
    return merged.flip();
  }

  /** One for each component that the range touches; a single empty one for an empty range. */
  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    check(index, length);
    if (length == 0) {
      return new ByteBuffer[] {EMPTY_NIO_BUFFER.duplicate()};
    }
    List<ByteBuffer> pieces = new ArrayList<>(Math.min(count, nioBufferCount()));
    int at = first(index, length);
    for (int i = index, end = index + length; i < end; at += SPAN) {
      int bytes = bytesIn(at, i, end);
      if (bytes > 0) {
        ByteBuffer[] some = root(at).nioBuffers(rootIndex(at, i), bytes);
        for (ByteBuffer piece : some) {
          pieces.add(piece);
        }
      }
      i += bytes;
    }
    return pieces.toArray(new ByteBuffer[0]);
  }
}
