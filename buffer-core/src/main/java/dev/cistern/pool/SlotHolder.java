/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ChunkPart;
import dev.cistern.leak.ChunkUse;
import dev.cistern.memory.MemoryAccess;
import org.jspecify.annotations.Nullable;

/** An object that a {@link SlotBinder} bound to a slot, and that can move to another slot. */
public interface SlotHolder extends ChunkPart {
  /** Returns the group of the slot. */
  SlotGroup slotGroup();

  /** Returns the index of the slot in its group. */
  int slotIndex();

  @Override
  default @Nullable ChunkUse chunkUse() {
    return slotGroup().chunkUse();
  }

  /** Binds this object to another slot, whose memory it uses from now on. */
  void rebind(SlotGroup group, int index);

  /**
   * Moves two objects into each other's slots, both of which the caller holds. So a buffer that
   * outgrows its slot keeps its identity. The caller ensures that the stack has room: half a move
   * cannot be undone.
   *
   * @param mover the object whose content moves with it
   * @param other the object that takes the old slot
   * @param bytes the bytes of the content, up to the size of the smaller slot
   */
  static void exchange(SlotHolder mover, SlotHolder other, int bytes) {
    SlotGroup oldGroup = mover.slotGroup();
    int oldIndex = mover.slotIndex();
    SlotGroup newGroup = other.slotGroup();
    int newIndex = other.slotIndex();
    MemoryAccess.copy(
        oldGroup.base(),
        oldGroup.address(oldIndex),
        newGroup.base(),
        newGroup.address(newIndex),
        bytes);
    SlotGroup.exchange(oldGroup, oldIndex, newGroup, newIndex);
    mover.rebind(newGroup, newIndex);
    other.rebind(oldGroup, oldIndex);
  }
}
