/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** The requests to a port that sends back all bytes. */
final class Loopback implements Client {
  private static final int[] LENGTHS = {1, 700, 16 << 10, 1 << 20};
  private static final int LIMIT_MILLIS = 30_000;

  @Override
  public void touch(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      exchange(socket, 1);
    }
  }

  @Override
  public Map<String, byte[]> talk(int port) throws Exception {
    Map<String, byte[]> answers = new LinkedHashMap<>();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int length : LENGTHS) {
        answers.put("bytes " + length, exchange(socket, length));
      }
    }
    return answers;
  }

  private static byte[] exchange(Socket socket, int length)
      throws IOException, InterruptedException {
    socket.setSoTimeout(LIMIT_MILLIS);
    byte[] sent = new byte[length];
    new Random(length).nextBytes(sent);
    // A separate thread writes, because the calling thread must read at the same time.
    Thread writer =
        new Thread(
            () -> {
              try {
                socket.getOutputStream().write(sent);
              } catch (IOException e) {
                // The reader then detects missing bytes.
              }
            });
    writer.start();
    InputStream in = socket.getInputStream();
    byte[] received = in.readNBytes(length);
    writer.join();
    assertThat(received).isEqualTo(sent);
    return received;
  }
}
