/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs benchmarks with JMH's own arguments, then prints ours over the best peer and writes it to a
 * file: {@code <results directory> [JMH arguments]}.
 */
public final class Bench {
  private Bench() {}

  /**
   * Runs.
   *
   * @param arguments the directory for results, then JMH's arguments
   */
  public static void main(String[] arguments)
      throws CommandLineOptionException, RunnerException, IOException {
    Path directory = Path.of(arguments[0]);
    String[] forJmh = Arrays.copyOfRange(arguments, 1, arguments.length);
    Collection<RunResult> results = new Runner(new CommandLineOptions(forJmh)).run();
    String table = new Ratios(results).table();
    System.out.println(table);
    Path file = directory.resolve(LocalDate.now(ZoneOffset.UTC) + ".md");
    Files.createDirectories(directory);
    Files.writeString(file, report(forJmh, table));
    System.out.println("written to " + file);
  }

  private static String report(String[] arguments, String table) throws IOException {
    return String.format(
        Locale.ROOT,
        """
        # Benchmarks of %s

        Time of one operation with half the width of its 99.9 %% interval; only ratios within this run count.
        `netty` is Netty %s at its best settings, on the threads of an event loop; `library` is our allocator called
        directly, `bridge` the same through the agent from code that knows only Netty, `engine` the pool without a ByteBuf.
        Leak detection is off on all sides.

        | | |
        |---|---|
        | machine | %s, %d cores |
        | system | %s %s |
        | JVM | %s %s |
        | JMH arguments | `%s` |

        %s""",
        LocalDate.now(ZoneOffset.UTC),
        nettyVersion(),
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        String.join(" ", arguments),
        table);
  }

  private static String nettyVersion() {
    io.netty.util.Version version = io.netty.util.Version.identify().get("netty-buffer");
    return version == null ? "of unknown version" : version.artifactVersion();
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(info, StandardCharsets.UTF_8)) {
      if (line.startsWith("model name")) {
        names.add(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    return names.isEmpty() ? System.getProperty("os.arch") : names.get(0);
  }
}
