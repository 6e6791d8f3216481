/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakTracker;
import dev.cistern.pool.SlotGroup;
import dev.cistern.pool.SlotHolder;
import dev.cistern.pool.StackRoom;
import dev.cistern.util.ResourceLeakTracker;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer bound to a slot of a pool. The buffer keeps the slot's memory between allocations, so an
 * allocation sets only indices, lengths and the count.
 */
final class PooledByteBuf extends MemoryByteBuf implements SlotHolder {
  /** A buffer that uses less than this part of its slot moves to a smaller one. */
  private static final int MIN_USE_SHIFT = 1;

  /** Slots up to this size are too small to be worth a move. */
  private static final int SMALL_SLOT_BYTES = 512;

  static {
    WatchEnd.load(); // the first release of a tracked buffer may have no stack left to load it
  }

  private final PooledByteBufAllocator allocator;

  // The thread that holds the slot writes the fields below.
  private SlotGroup group;

  /** The slot's index, or its complement if this buffer is tracked: a release reads it anyway. */
  private int index;

  private int slotBytes;

  /**
   * The NIO buffer of the slot. Threads that read the buffer also write this field; all values are
   * equal.
   */
  private @Nullable ByteBuffer nioView;

  /** The leak tracker of this object; null for most objects. */
  private @Nullable ResourceLeakTracker<ByteBuf> tracker;

  PooledByteBuf(PooledByteBufAllocator allocator, SlotGroup group, int index) {
    super(0);
    this.allocator = allocator;
    this.group = group;
    this.index = index;
    setRefCnt(0);
    open(0);
    close();
    placeInSlot();
  }

  @Override
  public SlotGroup slotGroup() {
    return group;
  }

  @Override
  public int slotIndex() {
    return slot();
  }

  @Override
  public void rebind(SlotGroup newGroup, int newIndex) {
    group = newGroup;
    index = newIndex;
    placeInSlot();
  }

  /**
   * Ends the tracking of a sample by bytes, which another tracker replaces.
   *
   * @return the weight of the sample in live bytes, or 0
   */
  long replaceSample() {
    if (tracker instanceof LeakTracker<ByteBuf> sampled && sampled.sample().isByBytes()) {
      LeakTracking.replace(sampled, this);
      tracker = null;
      return sampled.sample().liveBytes();
    }
    return 0;
  }

  /**
   * Ends the tracking of a sample by bytes when the buffer leaves its slot, because the weight
   * belongs to the slot.
   */
  private void endSample() {
    if (tracker instanceof LeakTracker<ByteBuf> sampled && sampled.sample().isByBytes()) {
      LeakTracking.close(sampled, this);
      tracker = null;
    }
  }

  int slotBytes() {
    return slotBytes;
  }

  private int slot() {
    return index < 0 ? ~index : index;
  }

  private void placeInSlot() {
    slotBytes = group.slotBytes();
    nioView = null;
    place(group.base(), group.address(slot()));
  }

  /** Resets the buffer of a slot that was just allocated. */
  void reuse(int capacity, int maxCapacity) {
    resetIndices(maxCapacity);
    open(capacity);
    resetRefCnt();
  }

  /**
   * Sets the tracker. Unbinds this object from the slot, so that the garbage collector can find it
   * unreachable.
   */
  void setTracker(ResourceLeakTracker<ByteBuf> newTracker) {
    group.unbind(slot());
    index = ~slot();
    tracker = newTracker;
  }

  @Override
  protected void deallocate() {
    close();
    int slot = index;
    if (slot < 0) {
      slot = ~slot;
      if (isForQuarantine()) {
        group.releaseToQuarantine(slot);
        return;
      }
    }
    group.release(slot);
  }

  /** Ends the tracking of this buffer. Returns whether its slot must be put into quarantine. */
  private boolean isForQuarantine() {
    try {
      return WatchEnd.isForQuarantine(tracker, this);
    } catch (StackOverflowError noStack) {
      return false; // the detector may report a leak, but the memory is released
    }
  }

  /** Records the holder that a hint names, if this buffer is tracked. */
  @Override
  public ByteBuf touch(@Nullable Object hint) {
    if (tracker instanceof LeakTracker<ByteBuf> watching) {
      watching.record(hint);
    }
    return this;
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  public int maxFastWritableBytes() {
    return Math.min(slotBytes, maxCapacity()) - writerIndex();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity > slotBytes || wastesSlot(newCapacity)) {
      move(newCapacity);
    } else {
      trimIndicesToCapacity(newCapacity);
      open(newCapacity);
    }
    return this;
  }

  private boolean wastesSlot(int newCapacity) {
    return newCapacity < capacity()
        && slotBytes > SMALL_SLOT_BYTES
        && newCapacity <= slotBytes >> MIN_USE_SHIFT
        && allocator.pool(isDirect()).usableBytes(newCapacity) < slotBytes;
  }

  /** Exchanges slots with a new buffer, and returns the old slot to the pool. */
  private void move(int newCapacity) {
    StackRoom.require(); // half a move could not be undone
    PooledByteBuf fresh = (PooledByteBuf) allocator.pool(isDirect()).allocate(newCapacity);
    SlotHolder.exchange(this, fresh, Math.min(capacity(), newCapacity));
    trimIndicesToCapacity(newCapacity);
    // Before code of an application runs, which must not see the old length with the new slot.
    open(newCapacity);
    endSample();
    if (tracker instanceof LeakTracker<ByteBuf> counted) {
      counted.moved(newCapacity, slotBytes);
    }
    if (tracker != null) {
      setTracker(tracker);
    }
    ResourceLeakTracker<ByteBuf> sampled = fresh.tracker;
    fresh.group.release(fresh.slot()); // from here on, another thread may allocate it
    if (sampled != null) { // the sampler chose the new slot, and fresh is unbound from the old one
      LeakTracking.replace(sampled, fresh);
      if (tracker == null) {
        LeakTracking.trackMoved(this, sampled);
      }
    }
  }

  @Override
  ByteBuffer nioView() {
    ByteBuffer view = nioView;
    if (view == null) {
      view = group.region().buffer().slice(group.offset(slot()), slotBytes);
      VarHandle.releaseFence(); // another reader must see a complete object or null
      nioView = view;
    }
    return view;
  }
}
