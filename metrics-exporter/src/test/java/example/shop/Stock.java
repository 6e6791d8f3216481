/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.shop;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Takes buffers as an application does, from two sites and from stacks of any depth. */
public final class Stock {
  private final ByteBufAllocator allocator;
  private final List<ByteBuf> held = new ArrayList<>();

  /** Takes them from {@code allocator}. */
  public Stock(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Holds two buffers and loses one. */
  public void takeHere(int depth) {
    if (depth > 0) {
      takeHere(depth - 1);
      return;
    }
    held.add(allocator.directBuffer(100));
    held.add(allocator.heapBuffer(200));
    allocator.directBuffer(300).writeInt(1);
  }

  /** Holds one buffer and loses another. */
  public void takeThere(int depth) {
    if (depth > 0) {
      takeThere(depth - 1);
      return;
    }
    held.add(allocator.directBuffer(1_000));
    allocator.heapBuffer(400).writeInt(1);
  }

  /** Gives back what is held. */
  public void giveBack() {
    held.forEach(ByteBuf::release);
    held.clear();
  }
}
