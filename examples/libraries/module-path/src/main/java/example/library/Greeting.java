/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.library;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.util.CharsetUtil;

/** Puts a frame together from pooled buffers, and reads it back. */
public final class Greeting {
  private Greeting() {}

  /** Prints what it read, and what it left in the pool. */
  public static void main(String[] arguments) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf body = ByteBufUtil.writeUtf8(allocator, "from a pooled buffer");
    ByteBuf head = allocator.buffer(Integer.BYTES).writeInt(body.readableBytes());

    // The composite buffer owns both from here on: its release is theirs.
    CompositeByteBuf frame = allocator.compositeBuffer().addComponents(true, head, body);
    try {
      ByteBuf text = frame.readSlice(frame.readInt());
      System.out.println(text.toString(CharsetUtil.UTF_8));
    } finally {
      frame.release();
    }
    System.out.println("pinned: " + allocator.pinnedDirectMemory());
  }
}
