/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.string.LineEncoder;
import io.netty.handler.codec.string.LineSeparator;
import java.nio.charset.StandardCharsets;

/** Encodes 32 lines of text, each into a separate buffer. */
public class LineEncode extends Workload {
  private static final int LINES = 32;

  private final String[] lines = new String[LINES];
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new LineEncoder(LineSeparator.UNIX, StandardCharsets.UTF_8));

  @Override
  void open() {
    for (int line = 0; line < LINES; line++) {
      lines[line] = "line " + line + (line % 4 == 0 ? " \u00fcber " : " of a log, ").repeat(line);
    }
  }

  private void write() {
    for (String line : lines) {
      channel.writeOutbound(line);
    }
  }

  @Override
  int operate() {
    write();
    return Embedded.discardSent(channel);
  }

  @Override
  void record(Outcome into) {
    write();
    Embedded.recordSent(channel, into);
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }
}
