/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.arrow;

import example.hosts.common.Lifetime;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Allocates buffers of Arrow, and no other. */
public final class ArrowHost {
  private static final int BUFFERS = 1_000;

  private ArrowHost() {}

  /** Says that it serves when it has released them, and ends with its standard input. */
  public static void main(String[] arguments) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = 0; i < BUFFERS; i++) {
        try (ArrowBuf buffer = allocator.buffer(1_000 + i)) {
          buffer.setLong(0, i);
        }
      }
    }
    Lifetime.serve(0);
  }
}
