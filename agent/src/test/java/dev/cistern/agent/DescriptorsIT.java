/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.LoopbackKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host with few file descriptors, and a client that connects to its endpoint too often. */
@Timeout(150)
class DescriptorsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int CONNECTIONS = 1_000;
  private static final int MAX_CONNECTIONS = 64;

  /** Limit of open files: those that the host opens at a time, and a few for the JVM. */
  private static final int FEW_FILES = 40;

  private static final List<String> FEW_DESCRIPTORS =
      List.of("sh", "-c", "ulimit -n 1024 && exec \"$@\"", "sh");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void silentConnectionsTakeNoDescriptorThatTheHostNeeds(boolean isTls) throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "needs Linux");
    String webConfig = isTls ? ",webConfig=" + webConfig() : "";
    List<Socket> sockets = new ArrayList<>();
    try (RunningHost host =
        HostJvm.netty("4.2")
            .main("example.host.FileOpener")
            .startedBy(FEW_DESCRIPTORS)
            .agent(AgentEndpoint.LISTEN + webConfig)
            .start()) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      Path descriptors = Path.of("/proc", String.valueOf(host.pid()), "fd");
      int before = count(descriptors);
      int most = before;
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), endpoint.port()));
        most = Math.max(most, count(descriptors));
      }
      int[] during = opened(host);
      await().atMost(LIMIT).until(() -> opened(host)[0] >= during[0] + 100);
      System.out.println(
          "tls "
              + isTls
              + ": descriptors before "
              + before
              + ", most "
              + most
              + ", opened "
              + host.order("opened"));
      assertThat(opened(host)[1]).as("openings of files that failed").isZero();
      assertThat(most).isLessThanOrEqualTo(before + MAX_CONNECTIONS + FEW_FILES);
      await().atMost(LIMIT).until(() -> count(descriptors) <= before + FEW_FILES);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Returns how often the host could open its files, and how often it could not. */
  private static int[] opened(RunningHost host) throws IOException {
    String[] counts = host.order("opened").split(" ", -1);
    return new int[] {Integer.parseInt(counts[0]), Integer.parseInt(counts[1])};
  }

  private static int count(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? 0 : names.length;
  }

  private Path webConfig() throws Exception {
    KeyStore keys = LoopbackKey.create(folder.resolve("keys.p12"), "server", "changeit");
    write("server.crt", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    write(
        "server.key", "PRIVATE KEY", keys.getKey("server", "changeit".toCharArray()).getEncoded());
    return Files.writeString(
        folder.resolve("web.yml"),
        "tls_server_config: {cert_file: server.crt, key_file: server.key}\n");
  }

  private void write(String name, String type, byte[] encoded) throws IOException {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded);
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
  }
}
