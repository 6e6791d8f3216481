/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel over a stream, of the two types that buffers need. */
final class StreamChannel implements GatheringByteChannel, ScatteringByteChannel {
  private final WritableByteChannel out;
  private final ReadableByteChannel in;

  StreamChannel(WritableByteChannel out, ReadableByteChannel in) {
    this.out = out;
    this.in = in;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return out.write(source);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return in.read(target);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
