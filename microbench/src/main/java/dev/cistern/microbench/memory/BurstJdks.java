/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JDK of this process, and a JDK 25, found in the same way as in the build. */
final class BurstJdks {
  private static final int NEWER = 25;

  private BurstJdks() {}

  /** Returns the homes by feature version. */
  static Map<Integer, Path> homes() {
    Path own = Path.of(System.getProperty("java.home"));
    Map<Integer, Path> homes = new TreeMap<>();
    addSiblings(homes, own.getParent());
    addSiblings(homes, Path.of("/usr/lib/jvm"));
    homes.put(Runtime.version().feature(), own);
    return homes;
  }

  private static void addSiblings(Map<Integer, Path> homes, @Nullable Path directory) {
    File[] found = directory == null ? null : directory.toFile().listFiles();
    if (found == null) {
      return;
    }
    Arrays.sort(found);
    for (File home : found) {
      if (feature(home.toPath()) == NEWER) {
        homes.putIfAbsent(NEWER, home.toPath());
      }
    }
  }

  /** Returns the version from the file {@code release} of a JDK; 0 if there is none. */
  private static int feature(Path home) {
    Path release = home.resolve("release");
    if (!Files.isReadable(release)) {
      return 0;
    }
    Properties values = new Properties();
    try (Reader reader = Files.newBufferedReader(release, StandardCharsets.UTF_8)) {
      values.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = values.getProperty("JAVA_VERSION", "").replace("\"", "");
    return version.isEmpty() ? 0 : Runtime.Version.parse(version).feature();
  }
}
