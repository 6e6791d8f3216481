/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.microbench.Environment;
import java.io.IOException;
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
        | revision | %s |
        """,
        Environment.processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        Environment.nettyVersion(),
        Environment.revision());
  }
}
