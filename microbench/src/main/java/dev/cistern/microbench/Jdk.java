/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JDK that forks run on.
 *
 * @param java its executable
 * @param feature its feature version, such as 17
 * @param version its version text, in one line
 */
record Jdk(String java, int feature, String version) {
  private static final Pattern FEATURE = Pattern.compile("version \"(\\d+)");

  /**
   * Reads the version of a JDK.
   *
   * @param home its directory; empty for the JDK of this process
   * @throws IllegalArgumentException if there is no JDK
   */
  static Jdk of(String home) throws IOException {
    Path java = Path.of(home.isEmpty() ? System.getProperty("java.home") : home, "bin", "java");
    if (!Files.isExecutable(java)) {
      throw new IllegalArgumentException(
          "--jdk: " + home + " (expected: a directory with bin/java)");
    }
    Process process =
        new ProcessBuilder(java.toString(), "-version").redirectErrorStream(true).start();
    String said;
    try (InputStream output = process.getInputStream()) {
      said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
    }
    Matcher matcher = FEATURE.matcher(said);
    if (!matcher.find()) {
      throw new IllegalArgumentException(java + " -version prints no version: " + said.strip());
    }
    String[] lines = said.strip().split("\\R", -1);
    return new Jdk(
        java.toString(), Integer.parseInt(matcher.group(1)), lines[lines.length - 1].strip());
  }
}
