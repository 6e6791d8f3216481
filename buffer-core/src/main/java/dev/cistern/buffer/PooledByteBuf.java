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
 * A buffer bound to a slot of a pool: it knows its memory already when the slot is handed out, so
 * that an allocation sets indices, lengths and the count, and nothing else (seed row A11).
 */
final class PooledByteBuf extends MemoryByteBuf implements SlotHolder {
  /** A buffer that holds less than this part of its slot moves to a smaller one. */
  private static final int LEAST_USE_SHIFT = 1;

  /** Slots up to this size are too small to be worth a move. */
  private static final int SMALL_SLOT_BYTES = 512;

  static {
    WatchEnd.load(); // the first release of a watched buffer may have no stack for it
  }

  private final PooledByteBufAllocator allocator;

  // All that follows is written by who holds the slot.
  private SlotGroup group;

  /** The slot's, or its complement where this buffer is watched: a release looks at it anyway. */
  private int index;

  private int slotBytes;

  // Also written by readers, any of which may be the first; each writes an equal one.
  private @Nullable ByteBuffer nioView;

  private @Nullable ByteBuffer internalView;

  /** Watches this object for being leaked; null for nearly all. */
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
   * Ends the watch of a sample that was drawn by its bytes, which it stands for only where it lies.
   *
   * @return the live bytes that it stood for, or 0
   */
  long endDrawn() {
    if (tracker instanceof LeakTracker<ByteBuf> drawn && drawn.sample().isByBytes()) {
      LeakTracking.close(drawn, this);
      tracker = null;
      return drawn.sample().liveBytes();
    }
    return 0;
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
    internalView = null;
    place(group.base(), group.address(slot()));
  }

  /** Makes a buffer of a slot that was just allocated as good as new. */
  void reuse(int capacity, int maxCapacity) {
    resetIndices(maxCapacity);
    open(capacity);
    resetRefCnt();
  }

  /** The slot forgets this object, which can then be found to be garbage. */
  void watchedBy(ResourceLeakTracker<ByteBuf> newTracker) {
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

  /** Ends the watch of this buffer; true if its slot is to rest before it is handed out again. */
  private boolean isForQuarantine() {
    try {
      return WatchEnd.isForQuarantine(tracker, this);
    } catch (StackOverflowError noStack) {
      return false; // the detector may take it for a leak; its memory is released all the same
    }
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
        && newCapacity <= slotBytes >> LEAST_USE_SHIFT
        && allocator.pool(isDirect()).usableBytes(newCapacity) < slotBytes;
  }

  /** Exchanges slots with a fresh buffer, which takes the old slot back to the pool. */
  private void move(int newCapacity) {
    StackRoom.require(); // half a move could not be undone
    PooledByteBuf fresh = (PooledByteBuf) allocator.pool(isDirect()).allocate(newCapacity);
    SlotHolder.exchange(this, fresh, Math.min(capacity(), newCapacity));
    trimIndicesToCapacity(newCapacity);
    open(newCapacity); // before anything of others runs: never the old length over the new slot
    long unused = endDrawn();
    if (tracker instanceof LeakTracker<ByteBuf> counted) {
      counted.moved(newCapacity, slotBytes);
    }
    if (tracker != null) {
      watchedBy(tracker);
    }
    ResourceLeakTracker<ByteBuf> drawn = fresh.tracker;
    fresh.group.release(fresh.slot()); // another thread may have it, and fresh, from here on
    if (drawn != null) { // the sampler drew the move, and the old slot has forgotten fresh
      LeakTracking.close(drawn, fresh);
      if (tracker == null) {
        LeakTracking.watchInstead(this, drawn);
      }
    }
  }

  @Override
  int offsetInArray() {
    return group.offset(slot());
  }

  @Override
  ByteBuffer nioView() {
    ByteBuffer view = nioView;
    if (view == null) {
      view = group.region().buffer().slice(group.offset(slot()), slotBytes);
      VarHandle.releaseFence(); // another reader must see all of it, or nothing (seed row B12)
      nioView = view;
    }
    return view;
  }

  @Override
  ByteBuffer internalView() {
    ByteBuffer view = internalView;
    if (view == null) {
      view = nioView().duplicate();
      internalView = view;
    }
    return view;
  }
}
