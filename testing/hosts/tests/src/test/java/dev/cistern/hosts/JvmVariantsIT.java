/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Exposition;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plain Netty host on JVMs with other collectors, object headers and restrictions. */
class JvmVariantsIT {
  private static final String VERSION = "4.2.18";

  /** The source of a class that the JVM loads from the cache, in its log. */
  private static final String FROM_CACHE = "source: shared objects file";

  @TempDir private Path folder;

  private static HostCommand host(Client client) {
    return Hosts.plain(VERSION, client).arguments("nio");
  }

  private static HostCommand on25(HostCommand host) {
    String home = System.getProperty("jdk25.home", "");
    Assumptions.assumeFalse(home.isEmpty(), "no JDK 25: name one by -Djdk25.home");
    return host.on(Path.of(home));
  }

  @ParameterizedTest
  @CsvSource({
    "17, -XX:+UseZGC",
    "17, -XX:+UseParallelGC",
    "25, -XX:+UseZGC",
    "25, -XX:+UseParallelGC",
    "25, -XX:+UseCompactObjectHeaders",
    "25, --sun-misc-unsafe-memory-access=deny",
    "25, --illegal-native-access=deny"
  })
  void underLoad(String jdk, String option) throws Exception {
    HostCommand host = host(HttpLoad.echo()).with(option);
    Comparison.underLoad(jdk.equals("25") ? on25(host) : host, "io.netty");
  }

  @Test
  void cacheOfAJvmWithTheAgentIsUsed() throws Exception {
    HostCommand host = on25(host(HttpTalk.plain()));
    HostCommand cached = host.with("-XX:AOTCache=" + train(host.withAgent()), "-XX:AOTMode=on");
    Path log = folder.resolve("classes.log");
    Exposition served =
        Comparison.compare(
            host, cached.withAgent().with("-Xlog:class+load:file=" + log), "io.netty");
    assertThat(classesOfNetty(log)).anyMatch(line -> line.contains(FROM_CACHE));
    Compatibility.record(cached, "swap", served);
  }

  @Test
  void cacheOfAJvmWithoutTheAgentIsRefused() throws Exception {
    HostCommand host = on25(host(HttpTalk.plain()));
    Path cache = train(host);
    HostCommand cached = host.with("-XX:AOTCache=" + cache, "-XX:AOTMode=on").withAgent();
    Tool.Outcome outcome = Tool.run(cached.builder(), HostProcess.LIMIT.toSeconds());
    List<String> lines = outcome.printed().lines().toList();
    assertThat(outcome.status()).as("%s", lines).isEqualTo(1);
    assertThat(lines.stream().filter(line -> line.contains("[error]")))
        .hasSize(5)
        .anyMatch(
            line ->
                line.endsWith(
                    "Mismatched values for property jdk.module.addmods: java.instrument specified"
                        + " during runtime but not during dump time"));
    assertThat(lines).last().isEqualTo("Unable to use AOT cache.");

    Path log = folder.resolve("classes.log");
    HostCommand lenient = host.with("-XX:AOTCache=" + cache, "-XX:AOTMode=auto").withAgent();
    Comparison.compare(host, lenient.with("-Xlog:class+load:file=" + log), "io.netty");
    assertThat(classesOfNetty(log)).noneMatch(line -> line.contains(FROM_CACHE));
  }

  /** Returns the cache that a JVM with these options writes at its end. */
  private Path train(HostCommand host) throws Exception {
    Path cache = folder.resolve("host.aot");
    try (HostProcess trained = HostProcess.start(host.with("-XX:AOTCacheOutput=" + cache))) {
      HttpTalk.plain().talk(trained.ports().get(0));
      trained.end();
    }
    assertThat(cache).isNotEmptyFile();
    return cache;
  }

  private static List<String> classesOfNetty(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" io.netty.buffer.")).toList();
    }
  }
}
