/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sidecar with a small heap and twenty large hosts, and connections that would fill the heap. */
@Timeout(120)
class HostileConnectionsIT {
  private static final int HOSTS = 20;
  private static final int KEPT = 200;
  private static final int NOT_READING = 100;
  private static final int SILENT = 2_000;
  private static final int OPENERS = 40;
  private static final int READERS = 4;
  private static final int SMALL_BUFFER = 4_096;
  private static final long MAX_SCRAPE_MILLIS = 10_000;
  private static final int LIMIT_MILLIS = 20_000;

  @TempDir private Path folder;

  private final List<StatsFileWriter> writers = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();
  private SidecarProcess sidecar;

  @BeforeEach
  void start() throws IOException {
    for (int number = 1; number <= HOSTS; number++) {
      HostIdentity host = SidecarReports.host(number);
      StatsFileWriter writer =
          StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 600_000);
      writer.write(HostView.of(SidecarReports.large(host)));
      writers.add(writer);
    }
    sidecar = SidecarProcess.start(folder);
  }

  @AfterEach
  void stop() throws IOException {
    closeSockets();
    sidecar.close();
    for (StatsFileWriter writer : writers) {
      writer.close();
    }
  }

  @Test
  void noConnectionsFillTheHeap() throws Exception {
    scrape("at first");
    requestAndKeepOpen();
    scrape("with " + KEPT + " kept connections");
    closeSockets();
    for (int round = 0; round < 2; round++) {
      requestAndReadNothing();
      scrape("while " + NOT_READING + " do not read");
      closeSockets();
    }
    openSilent();
    scrape("with " + SILENT + " silent connections");
    assertThat(sidecar.log()).doesNotContain("OutOfMemory", "Exception");
  }

  /**
   * Opens many connections at the same time: the system delays each for a second if the queue of
   * the port is full.
   */
  private void openSilent() throws Exception {
    ExecutorService openers = Executors.newFixedThreadPool(OPENERS);
    try {
      List<Future<Socket>> opened = new ArrayList<>();
      for (int i = 0; i < SILENT; i++) {
        opened.add(
            openers.submit(() -> new Socket(InetAddress.getLoopbackAddress(), sidecar.port())));
      }
      for (Future<Socket> each : opened) {
        sockets.add(each.get());
      }
    } finally {
      openers.shutdownNow();
    }
  }

  /** Asserts that a normal scrape is complete and in time. */
  private void scrape(String when) throws Exception {
    long start = System.nanoTime();
    String body = sidecar.get("/metrics").body();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    System.out.println("scrape " + when + ": " + millis + " ms, " + body.length() + " bytes");
    assertThat(body.lines().filter(line -> line.startsWith("cistern_host_up{"))).hasSize(HOSTS);
    assertThat(millis).as(when).isLessThan(MAX_SCRAPE_MILLIS);
    assertThat(sidecar.isAlive()).isTrue();
  }

  private void requestAndKeepOpen() throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < KEPT; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.port());
        socket.setSoTimeout(LIMIT_MILLIS);
        sockets.add(socket);
        statuses.add(readers.submit(() -> readOne(socket, "/metrics") + readOne(socket, "/state")));
      }
      for (Future<Integer> status : statuses) {
        assertThat(status.get()).isEqualTo(400);
      }
    } finally {
      readers.shutdownNow();
    }
  }

  /**
   * Reads one response, and leaves the connection open. Opens a new connection if the server has
   * closed this one, because it keeps only a few.
   */
  private int readOne(Socket socket, String path) throws IOException, InterruptedException {
    try {
      write(socket, path);
      int status = read(new BufferedInputStream(socket.getInputStream()));
      if (status != 0) {
        return status;
      }
    } catch (SocketException e) {
      // The server has closed this connection, too.
    }
    return sidecar.get(path).statusCode();
  }

  /** Reads a response, and returns its status; 0 if there is none. */
  private static int read(InputStream in) throws IOException {
    String status = line(in);
    if (status.isEmpty()) {
      return 0;
    }
    long length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Long.parseLong(header.substring(15).trim());
      }
    }
    in.skipNBytes(length);
    return Integer.parseInt(status.split(" ", -1)[1]);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      line.append((char) c);
    }
    return line.toString().trim();
  }

  /** Sends requests from sockets with small buffers, so that the responses stay in the server. */
  private void requestAndReadNothing() throws IOException {
    for (int i = 0; i < NOT_READING; i++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(SMALL_BUFFER);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.port()));
      sockets.add(socket);
      write(socket, i % 4 == 3 ? "/state" : "/metrics");
    }
  }

  private static void write(Socket socket, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: shop.example\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private void closeSockets() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }
}
