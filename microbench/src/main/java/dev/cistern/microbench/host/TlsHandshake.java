/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.embedded.EmbeddedChannel;
import javax.net.ssl.SSLSession;

/** Opens a new connection with a handshake, sends 16 bytes in both directions, and closes it. */
public class TlsHandshake extends Tls {
  private final byte[] greeting = Http1.body(16);

  private void send(EmbeddedChannel from, EmbeddedChannel to) {
    from.writeOutbound(from.alloc().buffer(greeting.length).writeBytes(greeting));
    Embedded.exchange(from, to);
  }

  @Override
  int operate() {
    Pair pair = connect();
    send(pair.client(), pair.server());
    int bytes = discardReceived(pair.server());
    send(pair.server(), pair.client());
    bytes += discardReceived(pair.client());
    pair.close();
    return bytes;
  }

  @Override
  void record(Outcome into) {
    Pair pair = connect();
    SSLSession session = pair.handler().engine().getSession();
    into.add(session.getProtocol() + " " + session.getCipherSuite());
    send(pair.client(), pair.server());
    recordReceived(pair.server(), into);
    send(pair.server(), pair.client());
    recordReceived(pair.client(), into);
    pair.close();
  }
}
