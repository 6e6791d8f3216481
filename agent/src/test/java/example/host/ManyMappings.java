/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A host whose buffers need many chunks. It prints the number of their mappings to stdout.
 * Arguments: the number of buffers, and their size in bytes.
 */
public final class ManyMappings {
  private static final int READ = 4096;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private ManyMappings() {}

  /** Allocates and releases buffers. */
  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    int bytes = Integer.parseInt(arguments[1]);
    new DirtyMemory().make();
    Bare.awaitAgent(PooledByteBufAllocator.DEFAULT);
    long before = Mappings.ofDevice();
    List<ByteBuf> held = new ArrayList<>();
    long foreign = 0;
    for (int i = 0; i < count; i++) {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
      held.add(buffer);
      if (i >= count - READ) { // the last ones: beyond the limit of mappings, if it is reached
        for (int at = 0; at < bytes; at += Long.BYTES) {
          foreign += buffer.getLong(at) == 0 ? 0 : 1;
        }
      }
    }
    System.out.println("buffers " + held.size());
    System.out.println("class " + Bare.className(held.get(count - 1)));
    System.out.println("mappings " + Mappings.ofDevice());
    System.out.println("foreign " + foreign);
    held.forEach(ByteBuf::release);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (Mappings.ofDevice() > before + count / 100 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    System.out.println("mappings left " + Mappings.ofDevice());
    System.out.println("done");
  }
}
