/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;

/** A channel over an array that reads from its start, and writes up to its length. */
final class MemoryChannel implements GatheringByteChannel, ScatteringByteChannel {
  private final ByteBuffer content;

  MemoryChannel(byte[] bytes) {
    content = ByteBuffer.wrap(bytes.clone());
  }

  @Override
  public int read(ByteBuffer target) {
    if (!content.hasRemaining()) {
      return -1;
    }
    int bytes = Math.min(target.remaining(), content.remaining());
    target.put(content.slice(content.position(), bytes));
    content.position(content.position() + bytes);
    return bytes;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      int read = read(targets[i]);
      if (read < 0) {
        return bytes == 0 && i == offset ? -1 : bytes;
      }
      bytes += read;
    }
    return bytes;
  }

  @Override
  public long read(ByteBuffer[] targets) {
    return read(targets, 0, targets.length);
  }

  @Override
  public int write(ByteBuffer source) {
    int bytes = Math.min(source.remaining(), content.remaining());
    content.put(source.slice(source.position(), bytes));
    source.position(source.position() + bytes);
    return bytes;
  }

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
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return content.position() + Arrays.toString(content.array());
  }
}
