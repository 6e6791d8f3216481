/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a run was made on. */
final class Machine {
  private Machine() {}

  /** Rows of a table of two columns. */
  static String rows() throws IOException {
    return String.format(
        Locale.ROOT,
        """
        | machine | %s, %d cores |
        | system | %s %s |
        | JVM | %s %s |
        | Netty | %s |
        """,
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        nettyVersion());
  }

  private static String nettyVersion() {
    io.netty.util.Version version = io.netty.util.Version.identify().get("netty-buffer");
    return version == null ? "of unknown version" : version.artifactVersion();
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (Files.isReadable(info)) {
      for (String line : Files.readAllLines(info, StandardCharsets.UTF_8)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch");
  }
}
