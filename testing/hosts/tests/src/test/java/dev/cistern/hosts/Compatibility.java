/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import dev.cistern.demo.Exposition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results of the hosts that ran, one file each in {@code target/compatibility}. {@link
 * CompatibilityTable} creates the table of the documentation from them.
 */
final class Compatibility {
  static final Path RESULTS = HostCommand.TARGET.resolve("compatibility");

  private static final Pattern NETTY = Pattern.compile("netty-buffer-(.+)\\.jar");

  /**
   * The title of a host, and the library whose version is the host's.
   *
   * @param artifact empty if there is no library besides Netty
   */
  private record Library(String title, String artifact) {}

  /** Libraries by module, or by module and first argument. */
  private static final Map<String, Library> LIBRARIES =
      Map.ofEntries(
          Map.entry("plain", new Library("Netty alone", "")),
          Map.entry("jpms", new Library("Netty alone, on the module path", "")),
          Map.entry("common", new Library("Three copies of Netty in one JVM", "")),
          Map.entry("reactor-1.2", new Library("Reactor Netty", "reactor-netty-http")),
          Map.entry("reactor-1.3", new Library("Reactor Netty", "reactor-netty-http")),
          Map.entry("webflux", new Library("Spring Boot WebFlux", "spring-boot")),
          Map.entry(
              "gateway",
              new Library("Spring Cloud Gateway", "spring-cloud-gateway-server-webflux")),
          Map.entry("vertx-4", new Library("Vert.x", "vertx-core")),
          Map.entry("vertx-5", new Library("Vert.x", "vertx-core")),
          Map.entry("grpc-netty", new Library("gRPC, `grpc-netty`", "grpc-netty")),
          Map.entry(
              "grpc-netty-shaded", new Library("gRPC, `grpc-netty-shaded`", "grpc-netty-shaded")),
          Map.entry(
              "arrow", new Library("Apache Arrow, `arrow-memory-netty`", "arrow-memory-netty")),
          Map.entry("armeria", new Library("Armeria", "armeria")),
          Map.entry("micronaut", new Library("Micronaut", "micronaut-http-server-netty")),
          Map.entry("redis lettuce", new Library("Lettuce", "lettuce-core")),
          Map.entry("redis redisson", new Library("Redisson", "redisson")),
          Map.entry(
              "aws-sdk", new Library("AWS SDK for Java, `netty-nio-client`", "netty-nio-client")),
          Map.entry("artemis", new Library("Apache Artemis, large messages", "artemis-server")),
          Map.entry("flink", new Library("Apache Flink, two task managers", "flink-runtime")),
          Map.entry(
              "spark", new Library("Apache Spark, driver and two executors", "spark-core_2.13")),
          Map.entry(
              "bookkeeper",
              new Library("Apache BookKeeper, its allocator", "bookkeeper-common-allocator")));

  /** JVM options with separate rows. */
  private static final Set<String> OPTIONS =
      Set.of(
          "-XX:+UseZGC",
          "-XX:+UseParallelGC",
          "-XX:+UseCompactObjectHeaders",
          "--sun-misc-unsafe-memory-access=deny",
          "--illegal-native-access=deny",
          "-XX:AOTMode=on");

  private Compatibility() {}

  /** Records that the behaviour of a host in a mode is the same as without the agent. */
  static void record(HostCommand command, String mode, Exposition scrape) {
    List<String> versions =
        scrape
            .samples("cistern_netty_copy_info")
            .map(copy -> copy.label("version").replace(".Final", ""))
            .distinct()
            .sorted()
            .toList();
    record(command, mode, String.join(", ", versions));
  }

  /** Records the same with the version of Netty in the class path. */
  static void record(HostCommand command, String mode) {
    record(command, mode, version(command, NETTY).replace(".Final", ""));
  }

  private static void record(HostCommand command, String mode, String netty) {
    Library library = library(command);
    String version =
        library.artifact().isEmpty()
            ? ""
            : version(
                command, Pattern.compile(Pattern.quote(library.artifact()) + "-([0-9].*)\\.jar"));
    String title =
        command.jvmArguments().stream()
            .filter(OPTIONS::contains)
            .map(option -> ", `" + option + "`")
            .collect(Collectors.joining("", library.title(), ""));
    String jdk = jdk(command.javaHome());
    String json =
        "{\"host\":\"%s\",\"version\":\"%s\",\"netty\":\"%s\",\"mode\":\"%s\",\"jdk\":\"%s\"}\n"
            .formatted(title, version, netty, mode, jdk);
    String file = (title + version + netty + mode + jdk).replaceAll("[^A-Za-z0-9.]", "_");
    try {
      Files.createDirectories(RESULTS);
      Files.writeString(RESULTS.resolve(file + ".json"), json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Library library(HostCommand command) {
    Path own = command.path().get(command.path().size() - 1);
    String module =
        own.startsWith(HostCommand.HOSTS)
            ? HostCommand.HOSTS.relativize(own).getName(0).toString()
            : "";
    String first = command.arguments().isEmpty() ? "" : command.arguments().get(0);
    Library library = LIBRARIES.get(module + " " + first);
    library = library == null ? LIBRARIES.get(module) : library;
    if (library == null) {
      throw new IllegalArgumentException("no title for the host " + command);
    }
    return library;
  }

  /** Returns the version in the name of the first jar of the class path that matches. */
  private static String version(HostCommand command, Pattern jar) {
    for (Path entry : command.path()) {
      Path folder = entry.endsWith("*") ? entry.getParent() : entry;
      try (Stream<Path> files = Files.list(folder)) {
        List<String> versions =
            files
                .map(file -> jar.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
        if (!versions.isEmpty()) {
          return versions.get(0);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new IllegalArgumentException("no " + jar + " in the class path of " + command);
  }

  /** Returns the first number of the version of a JDK. */
  private static String jdk(Path home) {
    Properties release = new Properties();
    try (var in = Files.newBufferedReader(home.resolve("release"), StandardCharsets.UTF_8)) {
      release.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return release.getProperty("JAVA_VERSION").replace("\"", "").split("\\.", 2)[0];
  }
}
