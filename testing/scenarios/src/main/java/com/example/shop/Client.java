/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of a server in the same process, over a blocking socket without Netty. */
final class Client {
  private static final int BUFFER = 64 * Shop.KIB;

  /** A larger receive buffer would hide a slow reader from the server for a long time. */
  private static final int RECEIVE_BUFFER = 16 * Shop.KIB;

  private final Socket socket = new Socket();
  private final Pace pace;
  private final byte[] buffer;

  /** Connects a client that reads or sends up to {@code rate} KiB a second. */
  Client(int port, int rate) throws IOException {
    pace = new Pace((double) rate * Shop.KIB);
    buffer = new byte[Math.min(rate * Shop.KIB, BUFFER)];
    if (buffer.length < BUFFER) {
      socket.setReceiveBufferSize(RECEIVE_BUFFER);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Sends bytes at once. */
  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends a number of bytes at the client's rate. */
  void sendSlowly(long bytes) throws IOException, InterruptedException {
    for (long left = bytes; left > 0; ) {
      int count = (int) Math.min(left, buffer.length);
      socket.getOutputStream().write(buffer, 0, count);
      pace.spend(count);
      left -= count;
    }
  }

  /** Reads some bytes at the client's rate, drops them, and returns their number. */
  int read() throws IOException, InterruptedException {
    int count = socket.getInputStream().read(buffer);
    if (count < 0) {
      throw new EOFException("the server closed the connection");
    }
    pace.spend(count);
    return count;
  }
}
