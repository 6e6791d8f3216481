/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;

/** Accepts all bytes without a system call. */
final class SinkChannel implements GatheringByteChannel {
  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += write(sources[i]);
    }
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] sources) {
    return write(sources, 0, sources.length);
  }

  @Override
  public int write(ByteBuffer source) {
    int bytes = source.remaining();
    source.position(source.limit());
    return bytes;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
