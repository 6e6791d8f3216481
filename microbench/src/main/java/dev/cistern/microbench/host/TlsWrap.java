/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

/** J3: 16 KiB enciphered, as a server that sends does; the proof of it is deciphered too. */
public class TlsWrap extends TlsConnected {
  private final byte[] content = Http1.body(16 << 10);

  @Override
  void send() {
    client().writeOutbound(client().alloc().buffer(content.length).writeBytes(content));
  }

  @Override
  int operate() {
    send();
    return Embedded.discardSent(client());
  }
}
