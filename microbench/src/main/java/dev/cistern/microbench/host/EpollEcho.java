/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.Channel;

/** Sends 1 KiB to a server and back, 64 times in turn. */
public class EpollEcho extends Epolled {
  private final byte[] message = Http1.body(1024);

  @Override
  int turns() {
    return 64;
  }

  @Override
  int turnBytes() {
    return message.length;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The response then times out.
  void send(Channel to) {
    to.writeAndFlush(to.alloc().buffer(message.length).writeBytes(message), to.voidPromise());
  }
}
