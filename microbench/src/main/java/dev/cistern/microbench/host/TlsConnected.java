/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.embedded.EmbeddedChannel;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A long-lived connection. */
public abstract class TlsConnected extends Tls {
  private @Nullable Pair pair;

  @Override
  void open() throws GeneralSecurityException, SSLException {
    super.open();
    pair = connect();
    pair.handler().setWrapDataSize(wrapBytes());
  }

  private Pair pair() {
    if (pair == null) {
      throw new IllegalStateException("not connected");
    }
    return pair;
  }

  final EmbeddedChannel client() {
    return pair().client();
  }

  final EmbeddedChannel server() {
    return pair().server();
  }

  /** Returns the limit up to which the client joins its writes into one packet, in bytes. */
  int wrapBytes() {
    return 16 << 10;
  }

  /** Sends the data of one operation from the client. */
  abstract void send();

  @Override
  int operate() {
    send();
    Embedded.pass(client(), server());
    return discardReceived(server());
  }

  @Override
  void record(Outcome into) {
    send();
    Embedded.pass(client(), server());
    recordReceived(server(), into);
  }

  @Override
  void close() {
    pair().close();
    super.close();
  }
}
