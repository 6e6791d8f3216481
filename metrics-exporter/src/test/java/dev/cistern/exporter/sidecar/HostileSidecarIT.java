/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.statsfile.WorstFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sidecar with a small heap, and clients that would fill it. */
class HostileSidecarIT {
  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 100;
  private static final int HEADER_BYTES = 380_000;

  @TempDir private Path folder;

  /** The requests are below the limit of the JDK's server, and together exceed the heap. */
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

  /**
   * Reports that are small on disk and large in memory, first of running hosts and then of ended
   * ones.
   */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void largeReportsDoNotFillTheHeap() throws Exception {
    Map<Path, byte[]> hostile = new LinkedHashMap<>();
    for (int i = 0; i < 3; i++) {
      addAll(hostile, WorstFiles.accepted(SidecarReports.host(1)).values());
      addAll(hostile, WorstFiles.refused(SidecarReports.host(1)).values());
    }
    try (SidecarProcess sidecar = SidecarProcess.start(folder);
        StatsFileWriter honest = honest(700)) {
      for (int round = 1; round <= ROUNDS; round++) {
        for (Map.Entry<Path, byte[]> file : hostile.entrySet()) {
          byte[] next = WorstFiles.again(file.getValue(), 2 + 2L * round);
          Files.write(file.getKey(), WorstFiles.withInterval(next, 60_000));
        }
        assertServes(sidecar, honest);
      }
      for (int number = 1; number <= hostile.size(); number++) {
        String host = "?full=true&host=" + SidecarReports.host(number).id();
        assertThat(sidecar.get("/leaks" + host).statusCode()).isPositive();
      }
      assertThat(sidecar.get("/leaks?host=" + SidecarReports.host(1).id()).statusCode())
          .as("exceeds the memory for pages")
          .isEqualTo(503);
      for (Map.Entry<Path, byte[]> file : hostile.entrySet()) {
        Files.write(file.getKey(), WorstFiles.dead(file.getValue()));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        assertServes(sidecar, honest);
      }
    }
    try (SidecarProcess again = SidecarProcess.start(folder);
        StatsFileWriter honest = honest(701)) {
      assertServes(again, honest);
    }
  }

  private void addAll(Map<Path, byte[]> to, Collection<byte[]> files) {
    for (byte[] file : files) {
      HostIdentity host = SidecarReports.host(to.size() + 1);
      to.put(folder.resolve(host.id() + StatsFileWriter.SUFFIX), WorstFiles.of(host, file));
    }
  }

  private StatsFileWriter honest(int number) throws IOException {
    HostIdentity host = SidecarReports.host(number);
    StatsFileWriter writer = StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000);
    writer.write(HostView.of(SidecarReports.large(host)));
    return writer;
  }

  private static void assertServes(SidecarProcess sidecar, StatsFileWriter honest)
      throws Exception {
    String id = honest.path().getFileName().toString().replace(StatsFileWriter.SUFFIX, "");
    String scrape = sidecar.get("/metrics").body();
    assertThat(scrape)
        .contains("cistern_up 1.0")
        .containsPattern("cistern_host_up[{][^}]*host_id=\"" + id + "\"[}] 1.0")
        .containsPattern("cistern_leaks_total[{][^}]*host_id=\"" + id + "\"");
    assertThat(sidecar.isAlive()).isTrue();
    assertThat(sidecar.log()).doesNotContain("OutOfMemory");
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void manyPostMortemsDoNotFillTheHeap() throws Exception {
    Path kept = Files.createDirectory(folder.resolve("postmortem"));
    Path made = Files.createDirectory(folder.resolve("made"));
    HostIdentity first = SidecarReports.host(1);
    try (StatsFileWriter writer =
        StatsFileWriter.create(made, first, StatsFileWriter.MAX_BYTES, 1_000)) {
      writer.write(HostView.of(SidecarReports.manyLeaks(first, 50)));
    }
    Path copy = made.resolve("copy");
    assertThat(
            new StatsFileReader()
                .copy(
                    made.resolve(first.id() + StatsFileWriter.SUFFIX),
                    copy,
                    System.currentTimeMillis())
                .report())
        .isNotNull();
    byte[] bytes = Files.readAllBytes(copy);
    for (int i = 1; i <= PostMortemStore.MAX_POST_MORTEMS; i++) {
      HostIdentity host = SidecarReports.host(i);
      Files.write(kept.resolve(host.id() + StatsFileWriter.SUFFIX), WorstFiles.of(host, bytes));
    }
    try (SidecarProcess sidecar = SidecarProcess.start(folder);
        StatsFileWriter honest = honest(700)) {
      for (int round = 0; round < ROUNDS; round++) {
        assertServes(sidecar, honest);
      }
      assertThat(sidecar.get("/metrics").body().lines())
          .filteredOn(line -> line.startsWith("cistern_host_up{"))
          .hasSize(1 + PostMortemStore.MAX_RECENTLY_ENDED);
      assertThat(sidecar.get("/postmortem/?format=json").statusCode()).isEqualTo(200);
      assertThat(sidecar.log()).doesNotContain("left alone");
    }
  }

  private static Socket send(int port, byte[] request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // The server should end the connection before the last byte.
    }
    return socket;
  }
}
