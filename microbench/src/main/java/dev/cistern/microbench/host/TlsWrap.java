/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

/** Encrypts 16 KiB, as a sending server does. {@link #record} also decrypts it, as a check. */
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
