/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds commands that a test wants but a machine may not have. */
final class Tool {
  private Tool() {}

  /** Returns the command's path. Without it, the test is skipped; in CI it fails. */
  static String path(String command, String debianPackage) {
    String directories = System.getenv().getOrDefault("PATH", "");
    for (String directory : directories.split(File.pathSeparator, -1)) {
      Path file = Path.of(directory, command);
      if (Files.isExecutable(file)) {
        return file.toString();
      }
    }
    String message = command + " is not installed (Debian package " + debianPackage + ")";
    if ("true".equals(System.getenv("CI"))) {
      fail(message);
    }
    return abort(message + ": skipped");
  }
}
