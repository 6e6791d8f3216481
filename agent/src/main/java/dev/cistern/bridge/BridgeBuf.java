/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakTracker;
import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.SlotGroup;
import dev.cistern.pool.StackRoom;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CisternEvents;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A host's ByteBuf over a slot of our pool: everything but the access to single values.
 *
 * <p>An object stays bound to its slot; an allocation only resets its lengths, indices and count.
 * The two subclasses exist so that the compiler knows, on every access, whether the memory is
 * native or an array.
 */
abstract class BridgeBuf extends AbstractReferenceCountedByteBuf {
  /** Until the first allocation sets the real one. */
  private static final int ANY_CAPACITY = Integer.MAX_VALUE;

  private SlotGroup group;
  private int index;

  /** Of byte 0: absolute for native memory, relative to the array object for heap memory. */
  protected long address;

  /** Of byte 0 in {@link #regionView}. */
  protected int offset;

  /** Shared by all buffers of the region: only absolute bulk access, never moved. */
  private ByteBuffer regionView;

  private int capacity;
  private int slotBytes;
  private @Nullable ByteBufAllocator allocator;

  /** This buffer's own view of its slot, moved at will; made when first wanted. */
  private @Nullable ByteBuffer slotView;

  private @Nullable LeakTracker<BridgeBuf> tracker;

  BridgeBuf(SlotGroup group, int index) {
    super(ANY_CAPACITY);
    this.group = group;
    this.index = index;
    this.address = group.address(index);
    this.offset = group.offset(index);
    this.regionView = group.region().buffer();
    this.slotBytes = group.slotBytes();
  }

  /** The array the memory lies in; null for native memory. */
  abstract byte @Nullable [] base();

  /** The kind of that memory, as reports name it. */
  final String memory() {
    return base() == null ? MemoryKind.DIRECT.label() : MemoryKind.HEAP.label();
  }

  final int slotBytes() {
    return slotBytes;
  }

  /** The pool this buffer grows in. */
  abstract BridgePool pool();

  // ---- life ----

  /** The slot lies elsewhere from now on. */
  void rebind(SlotGroup newGroup, int newIndex) {
    group = newGroup;
    index = newIndex;
    address = newGroup.address(newIndex);
    offset = newGroup.offset(newIndex);
    regionView = newGroup.region().buffer();
    slotBytes = newGroup.slotBytes();
    slotView = null;
  }

  /** Makes this a new buffer: one reference, indices and marks at 0 (seed row A11). */
  final void reuse(AbstractByteBufAllocator asked, int initialCapacity, int maxCapacity) {
    if (allocator != asked) { // the store's barrier costs more than this compare
      allocator = asked;
      Allocators.see(asked);
    }
    capacity = initialCapacity;
    maxCapacity(maxCapacity);
    if (HostFeatures.RESET_COUNT) {
      resetRefCnt();
    } else {
      setRefCnt(1);
    }
    clear();
    markReaderIndex();
    markWriterIndex();
  }

  /** To the flight recorder. */
  final void tellAllocated() {
    Events.allocated(this, recordedAddress(), group.isOwnedByCaller());
  }

  /** That of heap memory says nothing. */
  private long recordedAddress() {
    return base() == null ? address : 0;
  }

  /** The slot forgets this object, which then may be watched for being collected. */
  final void leaveSlot() {
    group.unbind(index);
  }

  final void watchedBy(LeakTracker<BridgeBuf> newTracker) {
    tracker = newTracker;
  }

  /** Ends the watch of what the sampler drew, another is to take its place; its bytes, or 0. */
  final long endDrawn() {
    LeakTracker<BridgeBuf> drawn = tracker;
    if (drawn == null) {
      return 0;
    }
    tracker = null;
    Leaks.close(drawn, this);
    return drawn.sample().liveBytes();
  }

  @Override
  protected final void deallocate() {
    if (HostFeatures.EVENTS) {
      tellFreed();
    }
    LeakTracker<BridgeBuf> watching = tracker;
    if (watching == null) {
      group.release(index);
    } else {
      releaseWatched(watching);
    }
  }

  private void tellFreed() {
    try {
      if (CisternEvents.recordsReleases()) {
        Events.freed(this, recordedAddress());
      }
    } catch (StackOverflowError noStack) {
      // The flight recorder misses this event; the memory is released all the same.
    }
  }

  private void releaseWatched(LeakTracker<BridgeBuf> watching) {
    tracker = null;
    boolean isForQuarantine = false;
    try {
      Leaks.close(watching, this);
      isForQuarantine = Leaks.isParanoid() && !(allocator instanceof SelfTest.Allocator);
    } catch (StackOverflowError noStack) {
      // The detector may take this buffer for a leak; its memory is released all the same.
    }
    if (isForQuarantine) {
      group.releaseToQuarantine(index); // the next holder gets a new object; this stays released
    } else {
      group.release(index);
    }
  }

  // ---- size ----

  @Override
  public final int capacity() {
    return capacity;
  }

  @Override
  public final ByteBuf capacity(int newCapacity) {
    if (newCapacity == capacity) {
      ensureAccessible();
      return this;
    }
    checkNewCapacity(newCapacity);
    if (newCapacity > slotBytes || isWasteful(newCapacity)) {
      move(newCapacity);
    } else {
      if (newCapacity < capacity) {
        trimIndicesToCapacity(newCapacity); // first: it may fail
      }
      capacity = newCapacity;
    }
    return this;
  }

  /** Shrinking below half of the slot is worth a copy where a smaller class exists. */
  private boolean isWasteful(int newCapacity) {
    return newCapacity < capacity
        && newCapacity <= slotBytes >>> 1
        && pool().usableBytes(newCapacity) <= slotBytes >>> 1;
  }

  private void move(int newCapacity) {
    StackRoom.require(); // half a move could not be undone
    if (HostFeatures.EVENTS) {
      Events.moves(this, recordedAddress(), newCapacity);
    }
    BridgeBuf other = pool().allocateToMove(newCapacity);
    int copied = Math.min(capacity, newCapacity);
    MemoryAccess.copy(base(), address, other.base(), other.address, copied);
    SlotGroup oldGroup = group;
    int oldIndex = index;
    SlotGroup newGroup = other.group;
    int newIndex = other.index;
    SlotGroup.exchange(oldGroup, oldIndex, newGroup, newIndex);
    rebind(newGroup, newIndex);
    other.rebind(oldGroup, oldIndex);
    capacity = newCapacity;
    trimIndicesToCapacity(newCapacity);
    LeakTracker<BridgeBuf> drawn = other.tracker;
    other.tracker = null;
    oldGroup.release(oldIndex); // another thread may have it, and other, from here on
    watchMoved(drawn, other);
    if (HostFeatures.EVENTS) {
      tellAllocated(); // as Netty's own, which takes its new memory like a new buffer
    }
  }

  /**
   * What was drawn by the bytes of the old slot ends with it, and what the move was drawn for takes
   * its place: else a buffer that grew would stand for the bytes of both. What was counted out is
   * watched on, at its new size.
   */
  private void watchMoved(@Nullable LeakTracker<BridgeBuf> drawn, BridgeBuf other) {
    LeakTracker<BridgeBuf> watching = tracker;
    if (watching != null) {
      if (watching.sample().isByBytes()) {
        tracker = null;
        Leaks.close(watching, this);
      } else {
        watching.moved(capacity, slotBytes);
      }
    }
    if (drawn != null) {
      Leaks.close(drawn, other);
      if (tracker == null) {
        leaveSlot();
        Leaks.watch(this, drawn.sample());
      }
    }
  }

  @Override
  public final int maxFastWritableBytes() {
    return Math.min(slotBytes, maxCapacity()) - writerIndex();
  }

  @Override
  public final ByteBufAllocator alloc() {
    ByteBufAllocator asked = allocator;
    if (asked == null) {
      throw new IllegalStateException("never allocated");
    }
    return asked;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's, and every buffer has it
  public final ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public final @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public final boolean isContiguous() {
    return true;
  }

  // ---- derived ----

  @Override
  public final ByteBuf retainedSlice() {
    int from = readerIndex();
    return retainedSlice(from, writerIndex() - from);
  }

  @Override
  public final ByteBuf retainedSlice(int from, int length) {
    return hasOwnCounts()
        ? BridgeHook.retainedSlice(this, from, length)
        : super.retainedSlice(from, length);
  }

  @Override
  public final ByteBuf retainedDuplicate() {
    return hasOwnCounts() ? BridgeHook.retainedDuplicate(this) : super.retainedDuplicate();
  }

  /** Retained slices of the pooled allocator count for themselves, those of the adaptive do not. */
  private boolean hasOwnCounts() {
    return allocator instanceof PooledByteBufAllocator;
  }

  // ---- bulk, other buffers and arrays ----

  @Override
  public final ByteBuf getBytes(int from, ByteBuf target, int targetIndex, int length) {
    checkDstIndex(from, length, targetIndex, target.capacity());
    if (target.hasMemoryAddress()) {
      copyOut(from, null, target.memoryAddress() + targetIndex, length);
    } else if (target.hasArray()) {
      copyOut(from, target.array(), arrayAddress(target.arrayOffset() + targetIndex), length);
    } else if (target.nioBufferCount() == 1) {
      // not back and forth between two of ours that may not tell their addresses
      getBytes(from, target.nioBuffer(targetIndex, length));
    } else {
      target.setBytes(targetIndex, this, from, length);
    }
    return this;
  }

  @Override
  public final ByteBuf getBytes(int from, byte[] target, int targetIndex, int length) {
    checkDstIndex(from, length, targetIndex, target.length);
    copyOut(from, target, arrayAddress(targetIndex), length);
    return this;
  }

  @Override
  public final ByteBuf getBytes(int from, ByteBuffer target) {
    int length = target.remaining();
    checkIndex(from, length);
    if (length == 0) {
      return this; // also into a read-only buffer
    }
    int position = target.position();
    target.put(position, regionView, offset + from, length);
    target.position(position + length);
    return this;
  }

  @Override
  public final ByteBuf setBytes(int to, ByteBuf source, int sourceIndex, int length) {
    checkSrcIndex(to, length, sourceIndex, source.capacity());
    if (length == 0) {
      return this;
    }
    if (source.hasMemoryAddress()) {
      copyIn(to, null, source.memoryAddress() + sourceIndex, length);
    } else if (source.hasArray()) {
      copyIn(to, source.array(), arrayAddress(source.arrayOffset() + sourceIndex), length);
    } else if (source.nioBufferCount() == 1) {
      setBytes(to, source.nioBuffer(sourceIndex, length));
    } else {
      source.getBytes(sourceIndex, this, to, length);
    }
    return this;
  }

  @Override
  public final ByteBuf setBytes(int to, byte[] source, int sourceIndex, int length) {
    checkSrcIndex(to, length, sourceIndex, source.length);
    copyIn(to, source, arrayAddress(sourceIndex), length);
    return this;
  }

  @Override
  public final ByteBuf setBytes(int to, ByteBuffer source) {
    int length = source.remaining();
    checkIndex(to, length);
    int position = source.position();
    regionView.put(offset + to, source, position, length);
    source.position(position + length);
    return this;
  }

  @Override
  public final ByteBuf setZero(int to, int length) {
    checkIndex(to, length);
    MemoryAccess.fill(base(), address + to, length, (byte) 0);
    return this;
  }

  @Override
  public final ByteBuf writeZero(int length) {
    ensureWritable(length);
    int to = writerIndex();
    setZero(to, length);
    writerIndex(to + length);
    return this;
  }

  private void copyOut(int from, byte @Nullable [] target, long targetAddress, int length) {
    MemoryAccess.copy(base(), address + from, target, targetAddress, length);
  }

  private void copyIn(int to, byte @Nullable [] source, long sourceAddress, int length) {
    MemoryAccess.copy(source, sourceAddress, base(), address + to, length);
  }

  static long arrayAddress(int index) {
    return MemoryAccess.BYTE_ARRAY_OFFSET + index;
  }

  // ---- streams and channels ----

  @Override
  public final int setBytes(int to, InputStream in, int length) throws IOException {
    checkIndex(to, length);
    byte[] array = base();
    if (array != null) {
      return in.read(array, arrayIndex(to), length);
    }
    byte[] copy = PlatformDependent.allocateUninitializedArray(length);
    int read = in.read(copy, 0, length);
    if (read > 0) {
      setBytes(to, copy, 0, read);
    }
    return read;
  }

  /** Where byte {@code at} lies in {@link #base()}. */
  final int arrayIndex(int at) {
    return (int) (address - MemoryAccess.BYTE_ARRAY_OFFSET) + at;
  }

  @Override
  public final int getBytes(int from, GatheringByteChannel out, int length) throws IOException {
    checkIndex(from, length);
    return out.write(freshView(from, length));
  }

  @Override
  public final int readBytes(GatheringByteChannel out, int length) throws IOException {
    checkReadableBytes(length);
    int from = readerIndex();
    int read = out.write(movedView(from, length));
    readerIndex(from + read);
    return read;
  }

  @Override
  public final int getBytes(int from, FileChannel out, long position, int length)
      throws IOException {
    checkIndex(from, length);
    return out.write(freshView(from, length), position);
  }

  @Override
  public final int readBytes(FileChannel out, long position, int length) throws IOException {
    checkReadableBytes(length);
    int from = readerIndex();
    int read = out.write(movedView(from, length), position);
    readerIndex(from + read);
    return read;
  }

  @Override
  public final int setBytes(int to, ScatteringByteChannel in, int length) throws IOException {
    checkIndex(to, length);
    try {
      return in.read(movedView(to, length));
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  @Override
  public final int setBytes(int to, FileChannel in, long position, int length) throws IOException {
    checkIndex(to, length);
    try {
      return in.read(movedView(to, length), position);
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  // ---- NIO views ----

  @Override
  public final int nioBufferCount() {
    return 1;
  }

  @Override
  public final ByteBuffer nioBuffer(int from, int length) {
    checkIndex(from, length);
    return regionView.slice(offset + from, length);
  }

  @Override
  public final ByteBuffer[] nioBuffers(int from, int length) {
    return new ByteBuffer[] {nioBuffer(from, length)};
  }

  @Override
  public final ByteBuffer internalNioBuffer(int from, int length) {
    checkIndex(from, length);
    return movedView(from, length);
  }

  private ByteBuffer freshView(int from, int length) {
    return regionView.slice(offset + from, length);
  }

  private ByteBuffer movedView(int from, int length) {
    ByteBuffer view = slotView;
    if (view == null) {
      view = regionView.slice(offset, slotBytes);
      slotView = view;
    }
    return view.limit(from + length).position(from);
  }
}
