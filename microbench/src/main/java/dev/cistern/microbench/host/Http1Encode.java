/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;

/** Encodes 16 responses of 1 KiB each. */
public class Http1Encode extends Workload {
  private static final int ANSWERS = 16;

  private final byte[] body = Http1.body(1024);
  private final EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseEncoder());

  @Override
  void open() {}

  private void answer() {
    for (int answer = 0; answer < ANSWERS; answer++) {
      channel.writeOutbound(Http1.answer(channel.alloc().buffer(body.length).writeBytes(body)));
    }
  }

  @Override
  int operate() {
    answer();
    return Embedded.discardSent(channel);
  }

  @Override
  void record(Outcome into) {
    answer();
    Embedded.recordSent(channel, into);
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }
}
