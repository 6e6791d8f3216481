/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.NioMemory;
import dev.cistern.util.ByteProcessor;
import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that consists of the bytes of several buffers, its components, one after the other.
 *
 * <p>Most accesses are to the same component as the previous access. A table finds any other
 * component: it divides the capacity into blocks of equal size, a few for each component, and
 * contains the component in which each block begins. The composite creates the table after as many
 * searches as it has components, and drops it at the next change of components. Without a table, a
 * binary search finds the component.
 */
abstract class AbstractCompositeByteBuf extends AbstractReferenceCountedByteBuf {
  static final ByteBuffer EMPTY_NIO_BUFFER = ByteBuffer.allocateDirect(0);
  private static final byte[] NO_BYTES = {};
  private static final Component[] NO_COMPONENTS = {};
  private static final int BLOCKS_PER_COMPONENT = 4;
  private static final int RELEASED = -1;

  private final ByteBufAllocator allocator;
  private Component[] components = NO_COMPONENTS;
  private int count;

  /** The capacity, which keeps its value after the last release. */
  private int capacity;

  /** The capacity, or -1 after the last release. */
  private int limit;

  // Threads that read the buffer also write the fields below; each value that they see is valid.

  /** The component that the last access found. */
  private Component last = Component.NONE;

  private @Nullable Blocks blocks;

  /** The number of searches without a table. */
  private int searches;

  /**
   * A table of the components in which blocks begin. Its fields are final, so a thread that sees
   * the table of another thread sees all of its entries.
   *
   * @param shift the logarithm of the size of a block
   * @param components for each block, the number of the component in which it begins
   */
  @SuppressWarnings("ArrayRecordComponent") // tables are not compared
  private record Blocks(int shift, int[] components) {}

  AbstractCompositeByteBuf(ByteBufAllocator alloc) {
    super(Integer.MAX_VALUE);
    allocator = Objects.requireNonNull(alloc, "alloc");
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  // Components. A method that changes them calls changed() at its end.

  final int count() {
    return count;
  }

  final Component at(int i) {
    return components[i];
  }

  final int start(int i) {
    return i == count ? end() : components[i].start;
  }

  private int end() {
    return count == 0 ? 0 : components[count - 1].end;
  }

  /** Returns the components from {@code from} to {@code to}, exclusive. */
  final Component[] between(int from, int to) {
    return Arrays.copyOfRange(components, from, to);
  }

  /** Adds {@code length} bytes of a buffer as component {@code i}. */
  final void insert(int i, ByteBuf source, int sourceIndex, int length) {
    Component inserted = new Component(source, sourceIndex, start(i), length);
    if (count == components.length) {
      components = Arrays.copyOf(components, Math.max(4, count * 2));
      Arrays.fill(components, count, components.length, Component.NONE);
    }
    System.arraycopy(components, i, components, i + 1, count - i);
    components[i] = inserted;
    count++;
    move(i + 1, length);
  }

  /** Removes components without releasing them. */
  final void remove(int from, int to) {
    int gone = start(to) - start(from);
    takeOut(from, to);
    move(from, -gone);
  }

  /** Removes the first bytes, together with the components before {@code kept}. */
  final void removeStart(int kept, int bytes) {
    takeOut(0, kept);
    if (count > 0) {
      components[0].start = bytes;
      move(0, -bytes);
    }
  }

  private void takeOut(int from, int to) {
    System.arraycopy(components, to, components, from, count - to);
    int left = count - (to - from);
    Arrays.fill(components, left, count, Component.NONE);
    count = left;
  }

  private void move(int from, int distance) {
    for (int i = from; i < count; i++) {
      components[i].move(distance);
    }
  }

  /** Updates the fields that depend on the components, after each change of these. */
  final void changed() {
    capacity = end();
    limit = capacity;
    last = count == 0 ? Component.NONE : components[0];
    blocks = null;
    searches = 0;
  }

  /**
   * Releases all components, even if a release fails, and then throws that failure. This method
   * allocates nothing, because a failed allocation would leak the components.
   */
  @Override
  protected void deallocate() {
    Component[] released = components;
    int parts = count;
    int oldCapacity = capacity;
    count = 0;
    components = NO_COMPONENTS; // not cleared: a reader in another thread finds released components
    changed();
    capacity = oldCapacity;
    if (Checks.CHECK_ACCESSIBLE) {
      limit = RELEASED;
    }
    releaseAll(released, parts);
  }

  /** Releases components, even if a release fails; then throws the first failure. */
  static void releaseAll(Component[] released, int length) {
    Throwable failure = null;
    for (int i = 0; i < length; i++) {
      try {
        released[i].source.release();
      } catch (RuntimeException | Error failed) {
        failure = failure == null ? failed : failure;
      }
    }
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  @Override
  int liveCapacity() {
    return limit;
  }

  @Override
  int writableCapacity() {
    return liveCapacity();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  // Finding a component

  /** Returns the number of the component that contains a valid index. */
  final int indexOfComponent(int index) {
    Blocks found = blocks;
    int i = found == null ? searchSlow(index) : found.components[index >>> found.shift];
    while (index >= components[i].end) {
      i++;
    }
    return i;
  }

  private Component find(int index) {
    Component found = components[indexOfComponent(index)];
    last = found;
    return found;
  }

  /**
   * Searches without a table. The first search after each change gets here, and detects that the
   * buffer was shrunk or released meanwhile.
   */
  private int searchSlow(int index) {
    if (index >= limit) {
      throw AccessFailures.access(this, index, 1);
    } else if (++searches > count) {
      blocks = newBlocks();
    }
    int found = 0;
    for (int left = count; left > 1; ) {
      int half = left >>> 1;
      found = components[found + half].start <= index ? found + half : found;
      left -= half;
    }
    return found;
  }

  /** Returns a table, or null if another thread releases the buffer meanwhile. */
  private @Nullable Blocks newBlocks() {
    int parts = count;
    int bytes = limit;
    if (parts == 0 || bytes <= 0) {
      return null;
    }
    int least = Math.max(1, bytes / parts / BLOCKS_PER_COMPONENT);
    int shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(least);
    int[] table = new int[1 + ((bytes - 1) >>> shift)];
    int i = 0;
    for (int block = 0; block < table.length; block++) {
      while (block << shift >= components[i].end) {
        i++;
      }
      table[block] = i;
    }
    return new Blocks(shift, table);
  }

  /**
   * Returns the number of the component in which a range starts. If the range spans several
   * components, checks each of them, so that none refuses after an earlier one was changed.
   */
  private int first(int index, int length, boolean writes) {
    int k = length == 0 ? 0 : indexOfComponent(index);
    if (length > 0 && index + length > components[k].end) {
      checkParts(index, length, writes);
    }
    return k;
  }

  /** Checks each component of the range that is not empty. */
  @Override
  void checkParts(int index, int length, boolean writes) {
    int k = length == 0 ? 0 : indexOfComponent(index);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      if (bytes > 0) {
        part.check(i, bytes, writes);
      }
      i += bytes;
    }
  }

  /** Returns the component that contains a valid index, most often that of the previous access. */
  final Component part(int index) {
    Component part = last;
    return index >= part.start && index < part.end ? part : find(index);
  }

  // Numbers: mostly in one component, otherwise accessed in two halves

  @Override
  protected byte _getByte(int index) {
    Component part = part(index);
    return part.root.getByte(index + part.shift);
  }

  @Override
  protected short _getShort(int index) {
    Component part = part(index);
    return index <= part.end - 2
        ? part.root.getShort(index + part.shift)
        : (short) ((_getByte(index) << 8) | (_getByte(index + 1) & 0xFF));
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    Component part = part(index);
    return index <= part.end - 3
        ? part.root.getUnsignedMedium(index + part.shift)
        : ((_getShort(index) & 0xFFFF) << 8) | (_getByte(index + 2) & 0xFF);
  }

  @Override
  protected int _getInt(int index) {
    Component part = part(index);
    return index <= part.end - 4
        ? part.root.getInt(index + part.shift)
        : (_getShort(index) << 16) | (_getShort(index + 2) & 0xFFFF);
  }

  @Override
  protected long _getLong(int index) {
    Component part = part(index);
    return index <= part.end - 8
        ? part.root.getLong(index + part.shift)
        : ((long) _getInt(index) << 32) | (_getInt(index + 4) & 0xFFFFFFFFL);
  }

  @Override
  protected void _setByte(int index, int value) {
    Component part = part(index);
    part.root.setByte(index + part.shift, value);
  }

  @Override
  protected void _setShort(int index, int value) {
    Component part = part(index);
    if (index <= part.end - 2) {
      part.root.setShort(index + part.shift, value);
    } else {
      checkParts(index, 2, true); // before the first half is written
      _setByte(index, value >> 8);
      _setByte(index + 1, value);
    }
  }

  @Override
  protected void _setMedium(int index, int value) {
    Component part = part(index);
    if (index <= part.end - 3) {
      part.root.setMedium(index + part.shift, value);
    } else {
      checkParts(index, 3, true); // before the first half is written
      _setShort(index, value >> 8);
      _setByte(index + 2, value);
    }
  }

  @Override
  protected void _setInt(int index, int value) {
    Component part = part(index);
    if (index <= part.end - 4) {
      part.root.setInt(index + part.shift, value);
    } else {
      checkParts(index, 4, true); // before the first half is written
      _setShort(index, value >> 16);
      _setShort(index + 2, value);
    }
  }

  @Override
  protected void _setLong(int index, long value) {
    Component part = part(index);
    if (index <= part.end - 8) {
      part.root.setLong(index + part.shift, value);
    } else {
      checkParts(index, 8, true); // before the first half is written
      _setInt(index, (int) (value >> 32));
      _setInt(index + 4, (int) value);
    }
  }

  // Bytes in bulk: component by component

  /**
   * Returns the number of bytes of a range in a component; fails if another thread moved the
   * component.
   */
  private static int bytesIn(Component part, int from, int end) {
    int bytes = Math.min(part.end, end) - from;
    if (bytes < 0) {
      throw new ConcurrentModificationException("components changed during an access");
    }
    return bytes;
  }

  @Override
  void copyOut(int index, byte @Nullable [] base, long address, int length) {
    int k = first(index, length, false);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      int from = i + part.shift;
      if (bytes > 0 && part.root instanceof AbstractByteBuf root) {
        root.check(from, bytes);
        root.copyOut(from, base, address + (i - index), bytes);
      } else {
        for (int b = 0; b < bytes; b++) {
          MemoryAccess.putByte(base, address + (i - index) + b, part.root.getByte(from + b));
        }
      }
      i += bytes;
    }
  }

  @Override
  void copyIn(int index, byte @Nullable [] base, long address, int length) {
    int k = first(index, length, true);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      int to = i + part.shift;
      if (bytes > 0 && part.root instanceof AbstractByteBuf root) {
        root.checkWrite(to, bytes);
        root.copyIn(to, base, address + (i - index), bytes);
      } else {
        for (int b = 0; b < bytes; b++) {
          part.root.setByte(to + b, MemoryAccess.getByte(base, address + (i - index) + b));
        }
      }
      i += bytes;
    }
  }

  /** Copies each part with a separate call, which checks both buffers again. */
  @Override
  void copyFrom(int index, MemoryByteBuf source, int sourceIndex, int length) {
    int k = first(index, length, true);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      if (bytes > 0) {
        source.getBytes(sourceIndex + (i - index), part.root, i + part.shift, bytes);
      }
      i += bytes;
    }
  }

  /**
   * Copies component by component. If the target is this buffer or a view of it, copies through an
   * array, because a component could be overwritten before it is read.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    if (target == this || target.unwrap() == this) {
      super.copyTo(index, target, targetIndex, length);
      return;
    }
    target.checkParts(targetIndex, length, true);
    int k = first(index, length, false);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      int from = i + part.shift;
      int to = targetIndex + (i - index);
      if (bytes > 0 && part.root instanceof AbstractByteBuf root) {
        root.check(from, bytes); // checks both again: code of a subclass may run in between
        target.checkAgain(to, bytes, true);
        root.copyTo(from, target, to, bytes);
      } else if (bytes > 0) {
        part.root.getBytes(from, target, to, bytes);
      }
      i += bytes;
    }
  }

  @Override
  void fillZero(int index, int length) {
    int k = first(index, length, true);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      if (bytes > 0) {
        part.root.setZero(i + part.shift, bytes);
      }
      i += bytes;
    }
  }

  // Searches

  /** Searches a part of a component. The search ends if the processor changes this buffer. */
  private int search(Component part, int from, int to, boolean upwards, ByteProcessor processor) {
    int start = from + part.shift;
    try {
      int found =
          upwards
              ? part.root.forEachByte(start, to - from, processor)
              : part.root.forEachByteDesc(start, to - from, processor);
      if (found >= 0) {
        return found - part.shift;
      }
    } catch (IndexOutOfBoundsException | IllegalReferenceCountException refused) {
      checkAgain(from, to - from, false);
      throw refused;
    }
    checkAgain(from, to - from, false);
    return -1;
  }

  @Override
  protected int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    int k = first(start, end - start, false);
    for (int i = start; i < end; k++) {
      Component part = components[k];
      int to = Math.min(part.end, end);
      int found = i == to ? -1 : search(part, i, to, true, processor);
      if (found >= 0) {
        return found;
      }
      i = to;
    }
    return -1;
  }

  @Override
  protected int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    int k = rStart < rEnd ? 0 : indexOfComponent(rStart);
    for (int end = rStart + 1; end > rEnd; k--) {
      Component part = components[k];
      int from = Math.max(part.start, rEnd);
      int found = from == end ? -1 : search(part, from, end, false, processor);
      if (found >= 0) {
        return found;
      }
      end = from;
    }
    return -1;
  }

  @Override
  int firstIndexOf(int from, int to, byte value) {
    int k = first(from, to - from, false);
    for (int i = from; i < to; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, to);
      int start = i + part.shift;
      int found = bytes == 0 ? -1 : part.root.indexOf(start, start + bytes, value);
      if (found >= 0) {
        return found - part.shift;
      }
      i += bytes;
    }
    return -1;
  }

  @Override
  int lastIndexOf(int from, int to, byte value) {
    int k = from < to ? indexOfComponent(to - 1) : 0;
    for (int end = to; end > from; k--) {
      Component part = components[k];
      int start = Math.max(part.start, from);
      if (start < end) { // indexOf searches an empty range forwards
        int found = part.root.indexOf(end + part.shift, start + part.shift, value);
        if (found >= 0) {
          return found - part.shift;
        }
      }
      end = start;
    }
    return -1;
  }

  // Memory: that of the only component, if there is only one

  @Override
  public boolean isDirect() {
    for (int i = 0; i < count; i++) {
      if (!components[i].root.isDirect()) {
        return false;
      }
    }
    return count > 0;
  }

  @Override
  public boolean hasArray() {
    return count == 0 || (count == 1 && components[0].root.hasArray());
  }

  @Override
  public byte[] array() {
    refuseReleased();
    return count == 0 ? NO_BYTES : only("array").array();
  }

  @Override
  public int arrayOffset() {
    refuseReleased();
    return count == 0 ? 0 : only("array").arrayOffset() + components[0].shift;
  }

  @Override
  public boolean hasMemoryAddress() {
    return count == 0 || (count == 1 && components[0].root.hasMemoryAddress());
  }

  @Override
  public long memoryAddress() {
    refuseReleased();
    return count == 0
        ? NioMemory.start(EMPTY_NIO_BUFFER)
        : only("memory address").memoryAddress() + components[0].shift;
  }

  private ByteBuf only(String what) {
    if (count != 1) {
      throw new UnsupportedOperationException(count + " components have no common " + what);
    }
    return components[0].root;
  }

  @Override
  public int nioBufferCount() {
    int buffers = 0;
    for (int i = 0; i < count; i++) {
      buffers += components[i].root.nioBufferCount();
    }
    return count == 0 ? 1 : buffers;
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    check(index, length);
    if (count == 0) {
      return EMPTY_NIO_BUFFER.duplicate();
    }
    only("NIO buffer");
    return components[0].source.internalNioBuffer(components[0].sourceIndex(index), length);
  }

  /** Returns a view if the range is within one component, otherwise a copy. */
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

  /**
   * Returns the NIO buffers of the components in the range, except empty components; for an empty
   * range, returns one empty NIO buffer.
   */
  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    check(index, length);
    return parts(index, length);
  }

  @Override
  ByteBuffer[] parts(int index, int length) {
    if (length == 0) {
      return new ByteBuffer[] {EMPTY_NIO_BUFFER.duplicate()};
    }
    List<ByteBuffer> pieces = new ArrayList<>();
    int k = first(index, length, false);
    for (int i = index, end = index + length; i < end; k++) {
      Component part = components[k];
      int bytes = bytesIn(part, i, end);
      if (bytes > 0) { // a channel refuses a read-only NIO buffer, even an empty one
        pieces.addAll(Arrays.asList(part.root.nioBuffers(i + part.shift, bytes)));
      }
      i += bytes;
    }
    return pieces.toArray(new ByteBuffer[0]);
  }

  @Override
  public String toString() {
    String text = super.toString();
    return text.substring(0, text.length() - 1) + ", components=" + count + ")";
  }
}
