/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;

/** What goes into a channel without a transport, and what comes out. */
final class Embedded {
  private Embedded() {}

  /** As a socket's reads would bring it: in buffers of the channel's allocator. */
  static void receive(EmbeddedChannel channel, byte[] bytes, int atOnce) {
    for (int from = 0; from < bytes.length; from += atOnce) {
      int length = Math.min(atOnce, bytes.length - from);
      channel.writeInbound(channel.alloc().ioBuffer(length).writeBytes(bytes, from, length));
    }
  }

  /** Releases all that a socket would have sent; how many bytes that was. */
  static int discardSent(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      bytes += sent.readableBytes();
      sent.release();
    }
    return bytes;
  }

  /** Records all that a socket would have sent. */
  static void recordSent(EmbeddedChannel channel, Outcome into) {
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      into.add(sent);
      sent.release();
    }
  }

  /** Brings what each sends to the other, until both are silent. */
  static void exchange(EmbeddedChannel one, EmbeddedChannel other) {
    while (pass(one, other) || pass(other, one)) {
      one.runPendingTasks();
      other.runPendingTasks();
    }
  }

  /** Brings what the first sends to the second. */
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
