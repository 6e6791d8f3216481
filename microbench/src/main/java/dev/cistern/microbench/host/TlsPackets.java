/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

/**
 * Sends 64 messages of 256 B, each in a separate packet, with one flush, and receives them with one
 * read.
 */
public class TlsPackets extends TlsConnected {
  private static final int PACKETS = 64;
  private static final int PACKET_BYTES = 256;

  private final byte[] content = Http1.body(PACKETS * PACKET_BYTES);

  @Override
  int wrapBytes() {
    return 0; // each write is a packet
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a failure is thrown by flushOutbound
  void send() {
    for (int packet = 0; packet < PACKETS; packet++) {
      client()
          .writeOneOutbound(
              client()
                  .alloc()
                  .buffer(PACKET_BYTES)
                  .writeBytes(content, packet * PACKET_BYTES, PACKET_BYTES));
    }
    client().flushOutbound();
  }
}
