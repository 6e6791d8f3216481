/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;

/** Input and output of a channel without a transport. */
final class Embedded {
  private Embedded() {}

  /** Delivers bytes as reads from a socket do: in buffers of the channel's allocator. */
  static void receive(EmbeddedChannel channel, byte[] bytes, int atOnce) {
    for (int from = 0; from < bytes.length; from += atOnce) {
      int length = Math.min(atOnce, bytes.length - from);
      channel.writeInbound(channel.alloc().ioBuffer(length).writeBytes(bytes, from, length));
    }
  }

  /**
   * Releases everything that the channel would have sent to a socket, and returns its length in
   * bytes.
   */
  static int discardSent(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      bytes += sent.readableBytes();
      sent.release();
    }
    return bytes;
  }

  /** Records everything that the channel would have sent to a socket. */
  static void recordSent(EmbeddedChannel channel, Outcome into) {
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      into.add(sent);
      sent.release();
    }
  }

  /** Transfers data in both directions until neither channel sends any more. */
  static void exchange(EmbeddedChannel one, EmbeddedChannel other) {
    while (pass(one, other) || pass(other, one)) {
      one.runPendingTasks();
      other.runPendingTasks();
    }
  }

  /**
   * Transfers everything that the first channel sends to the second. Returns whether there was any.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a failure is thrown by flushInbound
  static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
    boolean any = false;
    for (ByteBuf sent = from.readOutbound(); sent != null; sent = from.readOutbound()) {
      to.writeOneInbound(sent);
      any = true;
    }
    if (any) {
      to.flushInbound();
    }
    return any;
  }
}
