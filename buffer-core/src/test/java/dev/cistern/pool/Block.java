/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryAccess;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The object that the engine's tests bind to a slot: the memory, with a pattern that identifies the
 * holder. Two holders of the same byte overwrite each other's pattern.
 */
final class Block {
  /** Large blocks have the pattern at this distance, small ones in every byte. */
  private static final int STRIDE_BYTES = 509;

  private static final int FILLED_BYTES = 2048;

  SlotGroup group;
  int index;
  private byte[] base;
  private long address;
  private int requestedBytes;
  private long tag;

  Block(SlotGroup group, int index) {
    place(group, index);
  }

  void place(SlotGroup newGroup, int newIndex) {
    group = newGroup;
    index = newIndex;
    base = newGroup.base();
    address = newGroup.address(newIndex);
  }

  int requestedBytes() {
    return requestedBytes;
  }

  int slotBytes() {
    return group.slotBytes();
  }

  /** Marks the first {@code bytes} bytes as belonging to {@code newTag}. */
  void stamp(int bytes, long newTag) {
    if (bytes > slotBytes()) {
      throw new AssertionError("requested " + bytes + " bytes, got " + slotBytes());
    }
    requestedBytes = bytes;
    tag = newTag;
    int step = step();
    for (int i = 0; i < bytes; i += step) {
      MemoryAccess.putByte(base, address + i, expected(i));
    }
    if (bytes > 0) {
      MemoryAccess.putByte(base, address + bytes - 1, expected(bytes - 1));
    }
  }

  /** Fails if a byte no longer has its stamp. */
  void verify() {
    int step = step();
    for (int i = 0; i < requestedBytes; i += step) {
      verify(i);
    }
    if (requestedBytes > 0) {
      verify(requestedBytes - 1);
    }
  }

  private void verify(int i) {
    byte found = MemoryAccess.getByte(base, address + i);
    if (found != expected(i)) {
      throw new AssertionError(
          "byte "
              + i
              + " of "
              + requestedBytes
              + " in "
              + group
              + " slot "
              + index
              + " was overwritten: "
              + found
              + ", expected "
              + expected(i));
    }
  }

  private int step() {
    return requestedBytes <= FILLED_BYTES ? 1 : STRIDE_BYTES;
  }

  private byte expected(int i) {
    return (byte) ((int) ((tag * 0x9E3779B97F4A7C15L) >>> 56) + i);
  }

  /** Moves to a slot of at least {@code bytes} bytes, as a buffer that grows does. */
  void grow(BufferPool pool, int bytes, long newTag) {
    verify();
    Block fresh = (Block) pool.allocate(bytes);
    SlotGroup freshGroup = fresh.group;
    int freshIndex = fresh.index;
    SlotGroup.exchange(group, index, freshGroup, freshIndex);
    fresh.place(group, index);
    place(freshGroup, freshIndex);
    stamp(bytes, newTag);
    fresh.group.release(fresh.index);
  }

  void release() {
    verify();
    group.release(index);
  }

  /** Removes a random block from the list, and changes the order of the rest. */
  static Block takeAny(List<Block> held, SplittableRandom random) {
    int chosen = random.nextInt(held.size());
    Block block = held.get(chosen);
    int last = held.size() - 1;
    held.set(chosen, held.get(last));
    held.remove(last);
    return block;
  }
}
