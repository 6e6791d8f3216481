/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process with only an endpoint. It prints its port, and for each line of input its resource
 * usage: bytes of heap after a collection, threads, KiB resident, open files.
 */
final class EndpointProgram {
  private EndpointProgram() {}

  /**
   * Runs until the end of its input.
   *
   * @param arguments a web configuration file, or nothing
   */
  public static void main(String[] arguments) throws IOException {
    ExporterOptions options = ExporterOptions.DEFAULT;
    if (arguments.length > 0) {
      options = options.withWebConfig(Path.of(arguments[0]), System.err::println);
    }
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", Reports::host, options)) {
      System.out.println(server.port());
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (in.readLine() != null) {
        System.gc();
        System.gc();
        System.out.println(
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + " "
                + ManagementFactory.getThreadMXBean().getThreadCount()
                + " "
                + residentKibibytes()
                + " "
                + openFiles());
      }
    }
  }

  private static long residentKibibytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findAny()
        .orElse(0);
  }

  private static int openFiles() {
    String[] files = new File("/proc/self/fd").list();
    return files == null ? 0 : files.length;
  }
}
