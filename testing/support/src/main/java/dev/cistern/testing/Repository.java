/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the project, wherever the test runs. */
public final class Repository {
  private static final Path ROOT = root();

  private Repository() {}

  /** Returns a file or directory by its path from the project's root. */
  public static Path path(String relative) {
    return ROOT.resolve(relative);
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("mvnw"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new AssertionError("the test does not run inside the project: no mvnw above it");
      }
    }
    return directory;
  }
}
