/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small heap of a sidecar, and clients that would fill it. */
class HostileSidecarIT {
  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 100;
  private static final int HEADER_BYTES = 380_000;

  @TempDir private Path folder;

  /** Below the limit of the JDK's server, and many at a time: together more than the heap. */
  @ParameterizedTest
  @ValueSource(strings = {"GET /metrics HTTP/1.1\r\nX-Large: ", "GET /", "GET /metrics?"})
  void largeRequestsThatNeverEndDoNotFillTheHeap(String start) throws Exception {
    byte[] request = (start + "x".repeat(HEADER_BYTES)).getBytes(StandardCharsets.US_ASCII);
    try (SidecarProcess sidecar = SidecarProcess.start(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        List<Socket> sockets = new ArrayList<>();
        try {
          for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(send(sidecar.port(), request));
          }
          assertThat(sidecar.get("/-/healthy").statusCode()).isEqualTo(200);
        } finally {
          for (Socket socket : sockets) {
            socket.close();
          }
        }
      }
      assertThat(sidecar.get("/metrics").body()).contains("cistern_up 1.0");
      assertThat(sidecar.isAlive()).isTrue();
      assertThat(sidecar.log()).doesNotContain("OutOfMemory", "Exception");
    }
  }

  private static Socket send(int port, byte[] request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // It was ended before the last byte, as it should be.
    }
    return socket;
  }
}
