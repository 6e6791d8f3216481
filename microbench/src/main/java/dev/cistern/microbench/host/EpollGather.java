/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.Channel;

/** Sends 64 buffers of 256 B with one system call, and receives them back, 8 times in turn. */
public class EpollGather extends Epolled {
  private static final int BUFFERS = 64;
  private static final int BUFFER_BYTES = 256;

  private final byte[] content = Http1.body(BUFFERS * BUFFER_BYTES);

  @Override
  int turns() {
    return 8;
  }

  @Override
  int turnBytes() {
    return content.length;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The response then times out.
  void send(Channel to) {
    for (int from = 0; from < content.length; from += BUFFER_BYTES) {
      to.write(
          to.alloc().buffer(BUFFER_BYTES).writeBytes(content, from, BUFFER_BYTES),
          to.voidPromise());
    }
    to.flush();
  }
}
