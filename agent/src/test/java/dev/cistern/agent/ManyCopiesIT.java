/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Several copies of Netty in one JVM: of two lines, relocated twice, in a layer of modules. */
class ManyCopiesIT {
  private static final Path TESTS = Path.of("target", "test-classes").toAbsolutePath();
  private static final String POOL_BUFFER = "dev.cistern.netty.pool.CisternByteBuf";
  private static final String IN_LAYER = "pool=\"io.netty#2\"";
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
    int servedOfEach = 3 + 4; // direct and heap
    assertThat(result.classes()).filteredOn(POOL_BUFFER::equals).hasSize(3 * servedOfEach);
  }

  /**
   * Both copies have the package {@code io.netty}; the application's loader also finds the
   * container's copy.
   */
  @Test
  void aCopyOfAnApplicationIsServedBesideThatOfItsContainer() throws Exception {
    Result result =
        HostJvm.onClassPath("example.host.ManyHosts", TESTS)
            .agent("listen=none")
            .argument(classPath("4.1"), classPath("4.2"), "nested")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.agentLines())
        .hasSize(2)
        .anyMatch(line -> line.matches("cistern: serves io\\.netty 4\\.1\\..*"))
        .anyMatch(line -> line.matches("cistern: serves io\\.netty#2 4\\.2\\..*"));
    assertThat(result.classes()).filteredOn(POOL_BUFFER::equals).hasSize(2 * (3 + 4));
  }

  @Test
  void eachCopyHasAModeOfItsOwn() throws Exception {
    Result result =
        HostJvm.onClassPath("example.host.ManyHosts", TESTS)
            .agent("listen=none,exclude=org.shop.*")
            .argument(classPath("4.1"), relocated().toString())
            .argument("wait=5000")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.agentLines()).singleElement().asString().contains("serves io.netty 4.1");
    assertThat(result.classes())
        .anyMatch(name -> name.startsWith("dev.cistern.netty."))
        .anyMatch(name -> name.startsWith(PREFIX.replace('/', '.')));
  }

  static Stream<Arguments> homesLinesAndLoaders() {
    return HostJvm.homes()
        .flatMap(
            home ->
                Stream.of("4.1", "4.2")
                    .flatMap(
                        line ->
                            Stream.of("one", "many")
                                .map(loaders -> Arguments.of(home, line, loaders))));
  }

  /**
   * Netty as modules of a layer that the application creates, with another Netty on the class path.
   * The modules are automatic (4.1) or have descriptors (4.2). They share one loader, or each has
   * its own.
   */
  @ParameterizedTest
  @MethodSource("homesLinesAndLoaders")
  void aCopyInALayerOfModulesIsServedAndCollectedWithItsLayer(
      String home, String line, String loaders) throws Exception {
    try (RunningHost host =
        HostJvm.netty(line.equals("4.1") ? "4.2" : "4.1")
            .main("example.host.Layers")
            .jdk(home)
            .agent(AgentEndpoint.LISTEN)
            .start()) {
      awaitServed(host, "own");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      host.order("deploy " + loaders + ' ' + modulePath(line));
      awaitServed(host, "layer");
      // Allocators that the layer initializes later are instrumented later.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                double before = endpoint.sum("cistern_served_allocations_total", IN_LAYER);
                double requestBuffers = Double.parseDouble(host.order("request layer"));
                assertThat(endpoint.sum("cistern_served_allocations_total", IN_LAYER) - before)
                    .isPositive()
                    .isEqualTo(requestBuffers);
              });
      assertThat(endpoint.sum("cistern_pinned_bytes", IN_LAYER)).isZero();
      host.order("collect");
      assertThat(host.order("class layer")).as("while the layer lives").isEqualTo(POOL_BUFFER);
      assertThat(host.inventory())
          .containsPattern(
              "io\\.netty#2 " + line + "[^:]+: swap, loader jdk\\.internal\\.loader\\.")
          .contains("io.netty 4.");
      assertThat(endpoint.sum("cistern_fallback_allocations_total")).isZero();
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
      assertThat(host.order("undeploy")).as("loaders of the layer that are left").isEqualTo("0");
      await().atMost(Duration.ofSeconds(30)).until(() -> !host.inventory().contains("#2"));
      assertThat(host.order("class own")).as("what is beside it").isEqualTo(POOL_BUFFER);
      assertThat(host.inventory()).contains("io.netty 4.").contains(": swap, ");
      assertThat(host.errors())
          .filteredOn(text -> text.startsWith("cistern: "))
          .hasSize(2)
          .allMatch(text -> text.contains(" serves "));
    }
  }

  private static void awaitServed(RunningHost host, String which) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> host.order("class " + which), POOL_BUFFER::equals);
  }

  /**
   * Returns a module path with both modules of Netty, and the application as an automatic module.
   */
  private String modulePath(String line) throws IOException {
    Path application = folder.resolve("app.jar");
    String entry = "example/host/WebApplication";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(application))) {
      jar.putNextEntry(new JarEntry(entry + ".class"));
      jar.write(NettyJars.own(entry));
    }
    return Stream.concat(Stream.of(application), Stream.of(NettyJars.of(line)))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String classPath(String line) {
    return TESTS
        + File.pathSeparator
        + Arrays.stream(NettyJars.of(line))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns a jar with Netty and its host, as a shading build creates it. */
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
