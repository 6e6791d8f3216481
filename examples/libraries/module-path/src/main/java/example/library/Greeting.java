/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.library;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.util.CharsetUtil;

/** Composes a frame of pooled buffers, and reads it back. */
public final class Greeting {
  private Greeting() {}

  /** Prints the text of the frame, and the bytes that are still pinned in the pool. */
  public static void main(String[] arguments) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf body = ByteBufUtil.writeUtf8(allocator, "from a pooled buffer");
    ByteBuf head = allocator.buffer(Integer.BYTES).writeInt(body.readableBytes());

    // From here on, the composite buffer owns both buffers, and its release releases them.
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
