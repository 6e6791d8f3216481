/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/** A channel that stores the bytes it accepts; tests set how many of each offer it accepts. */
final class TestChannel implements GatheringByteChannel {
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

  /** Number of bytes to accept, by the number of bytes in the offer. */
  LongUnaryOperator appetite = offered -> offered;

  /** Total number of bytes that the channel still accepts. */
  long room = Long.MAX_VALUE;

  /** Number of NIO buffers of each offer after which the channel throws. */
  int throwAfter = Integer.MAX_VALUE;

  /** Consumer of each NIO buffer. */
  Consumer<ByteBuffer> look = buffer -> {};

  /** Action of each write, before the channel accepts a byte. */
  BeforeWrite before = () -> {};

  /** Number of bytes that the channel reports, by the number that it accepted. */
  LongUnaryOperator answer = bytes -> bytes;

  int writes;

  /** Number of NIO buffers in the last offer. */
  int lastBuffers;

  /** Number of bytes in the last offer. */
  long lastOffer;

  interface BeforeWrite {
    void run() throws IOException;
  }

  byte[] taken() {
    return taken.toByteArray();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long offered = 0;
    for (int i = offset; i < offset + length; i++) {
      offered += sources[i].remaining();
    }
    writes++;
    lastBuffers = length;
    lastOffer = offered;
    before.run();
    long rest = Math.min(Math.min(offered, room), appetite.applyAsLong(offered));
    long all = rest;
    room -= rest;
    for (int i = offset; i < offset + length && rest > 0; i++) {
      if (i - offset == throwAfter) {
        throw new IOException("in the middle");
      }
      look.accept(sources[i]);
      int bytes = (int) Math.min(rest, sources[i].remaining());
      byte[] piece = new byte[bytes];
      sources[i].get(piece);
      taken.writeBytes(piece);
      rest -= bytes;
    }
    return answer.applyAsLong(all);
  }

  @Override
  public long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
