/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

/** Encrypts 16 KiB on one side and decrypts it on the other, in one packet. */
public class TlsTransfer extends TlsConnected {
  private final byte[] content = Http1.body(16 << 10);

  @Override
  void send() {
    client().writeOutbound(client().alloc().buffer(content.length).writeBytes(content));
  }
}
