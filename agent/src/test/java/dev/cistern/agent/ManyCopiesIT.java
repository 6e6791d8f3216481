/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several copies of Netty in one JVM: two lines, and one that was relocated twice. */
class ManyCopiesIT {
  private static final Path TESTS = Path.of("target", "test-classes").toAbsolutePath();
  private static final String PREFIX = "org/shop/shaded/com/lib/io/netty";

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void eachCopyIsServedByAPoolOfItsOwn(String home) throws Exception {
    Result result =
        HostJvm.onClassPath("example.host.ManyHosts", TESTS)
            .jdk(home)
            .agent("listen=none")
            .argument(classPath("4.1"), classPath("4.2"), relocated().toString())
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).filteredOn("done"::equals).hasSize(3);
    assertThat(result.agentLines())
        .hasSize(3)
        .anyMatch(line -> line.matches("cistern: serves io\\.netty 4\\.1\\..*"))
        .anyMatch(line -> line.matches("cistern: serves io\\.netty#2 4\\.2\\..*"))
        .anyMatch(line -> line.matches("cistern: serves org\\.shop\\.shaded\\.com.*"));
    assertThat(result.classes())
        .filteredOn("dev.cistern.bridge.DirectBridgeBuf"::equals)
        .hasSize(3 * 3);
  }

  @Test
  void eachCopyHasAModeOfItsOwn() throws Exception {
    Result result =
        HostJvm.onClassPath("example.host.ManyHosts", TESTS)
            .agent("listen=none,exclude=org.shop.*")
            .argument(classPath("4.1"), relocated().toString())
            .argument("wait=2000")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.agentLines()).singleElement().asString().contains("serves io.netty 4.1");
    assertThat(result.classes())
        .anyMatch(name -> name.startsWith("dev.cistern.bridge."))
        .anyMatch(name -> name.startsWith(PREFIX.replace('/', '.')));
  }

  private static String classPath(String line) {
    return TESTS
        + File.pathSeparator
        + Arrays.stream(NettyJars.of(line))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
  }

  /** Netty and its host in one jar, as a shading build makes it. */
  private Path relocated() throws IOException {
    Map<String, byte[]> classFiles = new HashMap<>(NettyJars.classFiles("4.1"));
    classFiles.put("example/host/Host", NettyJars.own("example/host/Host"));
    Path path = folder.resolve("shaded.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path))) {
      for (Map.Entry<String, byte[]> entry : NettyJars.relocated(classFiles, PREFIX).entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey() + ".class"));
        jar.write(entry.getValue());
      }
    }
    return path;
  }
}
