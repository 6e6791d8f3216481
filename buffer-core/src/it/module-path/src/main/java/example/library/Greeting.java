/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.library;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Writes a frame into a pooled buffer, and reads it back. */
public final class Greeting {
  private Greeting() {}

  /** Prints what it read, and what it left in the pool. */
  public static void main(String[] arguments) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf frame = allocator.buffer();
    try {
      byte[] text = "from a pooled buffer".getBytes(StandardCharsets.UTF_8);
      frame.writeInt(text.length).writeBytes(text);
      ByteBuf body = frame.readSlice(frame.readInt());
      System.out.println(body.toString(StandardCharsets.UTF_8));
    } finally {
      frame.release();
    }
    System.out.println("pinned: " + allocator.pinnedDirectMemory());
  }
}
