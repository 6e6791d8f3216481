/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;

/** A channel that accepts all bytes, and fails for memory that is not direct. */
abstract class DirectOnly implements GatheringByteChannel {
  abstract void take(ByteBuffer piece) throws IOException;

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += write(sources[i]);
    }
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (!source.isDirect()) {
      throw new AssertionError("an array: " + source);
    }
    int bytes = source.remaining();
    take(source);
    return bytes;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
