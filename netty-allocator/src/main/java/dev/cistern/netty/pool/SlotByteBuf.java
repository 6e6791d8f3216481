/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.LeakTracker;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.SlotGroup;
import dev.cistern.pool.SlotHolder;
import dev.cistern.pool.StackRoom;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that is bound to a slot of a pool: its life cycle, its size, and the location of its
 * memory.
 *
 * <p>An object stays bound to its slot; an allocation only resets its lengths, indices and count.
 * The thread that holds the slot writes all fields.
 */
abstract class SlotByteBuf extends AbstractReferenceCountedByteBuf implements SlotHolder {
  /** Maximum capacity until the first allocation sets the real one. */
  private static final int ANY_CAPACITY = Integer.MAX_VALUE;

  private static final PoolHooks HOOKS = NettyFeatures.HOOKS;

  private SlotGroup group;
  private int index;

  /** The array that contains the memory, or null for native memory. */
  byte @Nullable [] base;

  /** Address of byte 0: absolute for native memory, relative to the array for heap memory. */
  long address;

  /** Offset of byte 0 in {@link #regionView}. */
  int offset;

  /**
   * View of the region, shared by all of its buffers. Used only for absolute bulk access; its
   * position never changes.
   */
  ByteBuffer regionView;

  private int capacity;
  private int slotBytes;
  private @Nullable ByteBufAllocator allocator;

  /** This buffer's own view of its slot, or null. Its position and limit change. */
  private @Nullable ByteBuffer slotView;

  /** The tracker that detects a leak of this object; null for most buffers. */
  private @Nullable LeakTracker<CisternByteBuf> tracker;

  SlotByteBuf(SlotGroup group, int index) {
    super(ANY_CAPACITY);
    this.group = group;
    this.index = index;
    this.base = group.base();
    this.address = group.address(index);
    this.offset = group.offset(index);
    this.regionView = group.region().buffer();
    this.slotBytes = group.slotBytes();
  }

  /** Returns this buffer as the type that the leak detector watches. */
  abstract CisternByteBuf self();

  /** Returns the name of the kind of memory, for reports. */
  final String memory() {
    return base == null ? MemoryKind.DIRECT.label() : MemoryKind.HEAP.label();
  }

  /** Returns the usable bytes of the slot. */
  public final int slotBytes() {
    return slotBytes;
  }

  private NettyPool pool() {
    return base == null ? NettyPools.DIRECT : NettyPools.HEAP;
  }

  // ---- life cycle ----

  @Override
  public final SlotGroup slotGroup() {
    return group;
  }

  @Override
  public final int slotIndex() {
    return index;
  }

  @Override
  public final void rebind(SlotGroup newGroup, int newIndex) {
    group = newGroup;
    index = newIndex;
    base = newGroup.base();
    address = newGroup.address(newIndex);
    offset = newGroup.offset(newIndex);
    regionView = newGroup.region().buffer();
    slotBytes = newGroup.slotBytes();
    slotView = null;
  }

  /** Resets this object to a new buffer: one reference, indices and marks at 0. */
  final void reuse(AbstractByteBufAllocator newAllocator, int initialCapacity, int maxCapacity) {
    if (allocator != newAllocator) { // the store's barrier costs more than this comparison
      allocator = newAllocator;
      HOOKS.allocatorUsed(newAllocator);
    }
    capacity = initialCapacity;
    maxCapacity(maxCapacity);
    if (NettyFeatures.RESET_COUNT) {
      resetRefCnt();
    } else {
      setRefCnt(1);
    }
    clear();
    markReaderIndex();
    markWriterIndex();
  }

  /** Records the allocation in the flight recorder. */
  final void recordAllocation() {
    HOOKS.bufferAllocated(self(), recordedAddress(), group.isOwnedByCaller());
  }

  /** Returns 0 for heap memory, whose address has no meaning. */
  private long recordedAddress() {
    return base == null ? address : 0;
  }

  /** Removes this object from its slot, so that a leak tracker can watch it. */
  final void leaveSlot() {
    group.unbind(index);
  }

  final void setTracker(LeakTracker<CisternByteBuf> newTracker) {
    tracker = newTracker;
  }

  /** Returns the tracker of this object, or null. */
  public final @Nullable LeakTracker<CisternByteBuf> tracker() {
    return tracker;
  }

  /**
   * Ends the watch of a sample, which another one replaces.
   *
   * @return the bytes that the sample represented, or 0
   */
  final long replaceSample() {
    LeakTracker<CisternByteBuf> sampled = tracker;
    if (sampled == null) {
      return 0;
    }
    tracker = null;
    NettyLeakDetector.forget(sampled, self());
    return sampled.sample().liveBytes();
  }

  @Override
  public final ByteBuf touch() {
    return touch(null);
  }

  /** Records the holder, and the use with its hint if this buffer's accesses are recorded. */
  @Override
  public final ByteBuf touch(@Nullable Object hint) {
    LeakTracker<CisternByteBuf> watching = tracker;
    if (watching != null) {
      NettyLeakDetector.record(watching, hint);
    }
    return this;
  }

  @Override
  protected final void deallocate() {
    if (NettyFeatures.EVENTS) {
      recordRelease();
    }
    LeakTracker<CisternByteBuf> watching = tracker;
    if (watching == null) {
      group.release(index);
    } else {
      releaseWatched(watching);
    }
  }

  private void recordRelease() {
    try {
      if (HOOKS.recordsReleases()) {
        HOOKS.bufferReleased(self(), recordedAddress());
      }
    } catch (StackOverflowError noStack) {
      // The flight recorder misses this event; the memory is still released.
    }
  }

  private void releaseWatched(LeakTracker<CisternByteBuf> watching) {
    tracker = null;
    boolean isForQuarantine = false;
    try {
      NettyLeakDetector.close(watching, self());
      isForQuarantine = NettyLeakDetector.isParanoid() && !HOOKS.isTest(alloc());
    } catch (StackOverflowError noStack) {
      // The detector may report a leak; the memory is still released.
    }
    if (isForQuarantine) {
      group.releaseToQuarantine(index); // the next caller gets a new object; this stays released
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
        trimIndicesToCapacity(newCapacity); // first, because it may fail
      }
      capacity = newCapacity;
    }
    return this;
  }

  /** Returns whether a smaller slot is worth the copy: the buffer shrinks to half of its slot. */
  private boolean isWasteful(int newCapacity) {
    return newCapacity < capacity
        && newCapacity <= slotBytes >>> 1
        && pool().usableBytes(newCapacity) <= slotBytes >>> 1;
  }

  private void move(int newCapacity) {
    StackRoom.require(); // half a move could not be undone
    if (NettyFeatures.EVENTS) {
      HOOKS.bufferMoves(self(), recordedAddress(), newCapacity);
    }
    SlotByteBuf other = pool().allocateToMove(newCapacity);
    SlotHolder.exchange(this, other, Math.min(capacity, newCapacity));
    capacity = newCapacity;
    trimIndicesToCapacity(newCapacity);
    LeakTracker<CisternByteBuf> sampled = other.tracker;
    other.tracker = null;
    other.group.release(other.index); // from here on, another thread may get the slot and other
    watchMoved(sampled, other);
    if (NettyFeatures.EVENTS) {
      recordAllocation(); // as Netty does, which records the new memory like a new buffer
    }
  }

  /**
   * Continues the watch after a move. A sample by bytes ends with the old slot, and the sample of
   * the move replaces it. Otherwise a buffer that grew would represent the bytes of both. A sample
   * by count continues at its new size.
   */
  private void watchMoved(@Nullable LeakTracker<CisternByteBuf> sampled, SlotByteBuf other) {
    LeakTracker<CisternByteBuf> watching = tracker;
    if (watching != null) {
      if (watching.sample().isByBytes()) {
        tracker = null;
        NettyLeakDetector.close(watching, self());
      } else {
        watching.moved(capacity, slotBytes);
      }
    }
    if (sampled != null) {
      NettyLeakDetector.forget(sampled, other.self());
      if (tracker == null) {
        leaveSlot();
        NettyLeakDetector.watch(self(), sampled.sample().continued());
        NettyLeakDetector.passOn(watching, tracker);
      }
    }
  }

  @Override
  public final int maxFastWritableBytes() {
    return Math.min(slotBytes, maxCapacity()) - writerIndex();
  }

  @Override
  public final ByteBufAllocator alloc() {
    ByteBufAllocator known = allocator;
    if (known == null) {
      throw new IllegalStateException("cannot name the allocator: the buffer was never allocated");
    }
    return known;
  }

  // ---- derived ----

  @Override
  public final ByteBuf retainedSlice() {
    int from = readerIndex();
    return retainedSlice(from, writerIndex() - from);
  }

  @Override
  public final ByteBuf retainedSlice(int from, int length) {
    ByteBuf counted = HOOKS.retainedSlice(this, from, length);
    return counted == null ? super.retainedSlice(from, length) : counted;
  }

  @Override
  public final ByteBuf retainedDuplicate() {
    ByteBuf counted = HOOKS.retainedDuplicate(this);
    return counted == null ? super.retainedDuplicate() : counted;
  }

  // ---- NIO views ----

  @Override
  public final int nioBufferCount() {
    return 1;
  }

  @Override
  public final ByteBuffer nioBuffer(int from, int length) {
    checkIndex(from, length);
    return freshView(from, length);
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

  /** Returns a new view of a range. */
  final ByteBuffer freshView(int from, int length) {
    return regionView.slice(offset + from, length);
  }

  /** Returns this buffer's own view, set to a range. */
  final ByteBuffer movedView(int from, int length) {
    ByteBuffer view = slotView;
    if (view == null) {
      view = regionView.slice(offset, slotBytes);
      slotView = view;
    }
    return view.limit(from + length).position(from);
  }
}
