/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * The two files of a run: a Markdown table, and JSON with all values.
 *
 * @param title first heading of the table
 * @param table Markdown file
 * @param values JSON file
 */
public record ResultFiles(String title, Path table, Path values) {
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss");

  private static ResultFiles of(String title, Path stem) {
    return new ResultFiles(
        title,
        stem.resolveSibling(stem.getFileName() + ".md"),
        stem.resolveSibling(stem.getFileName() + ".json"));
  }

  /**
   * Returns the files of an ordinary run, outside the work tree's tracked files.
   *
   * @param module directory of this module
   * @param topic end of the name; may be empty
   */
  public static ResultFiles ofRun(Path module, String topic) {
    String name = NAME.format(LocalDateTime.now(ZoneOffset.UTC));
    return of(
        "Benchmarks, not published",
        module.resolve("target/results").resolve(topic.isEmpty() ? name : name + "-" + topic));
  }

  /**
   * Returns the files of a run for publication.
   *
   * @param module directory of this module
   * @param topic name of the files
   * @param changed files that differ from the revision
   * @throws IllegalArgumentException if there are such files: their results cannot be reproduced
   */
  public static ResultFiles published(Path module, String topic, List<String> changed) {
    if (!changed.isEmpty()) {
      throw new IllegalArgumentException(
          "cannot publish: the work tree has changes: "
              + String.join(", ", changed)
              + "; commit or stash them");
    }
    String version = version();
    return of(
        "Benchmarks: " + topic + ", version " + version,
        module.resolve("results").resolve(version).resolve(topic));
  }

  private static String version() {
    Version version = Version.identify().get("cistern-buffer-core");
    if (version == null) {
      throw new IllegalStateException("cistern-buffer-core is not on the class path");
    }
    return version.artifactVersion().replace("-SNAPSHOT", "");
  }

  /** Writes both files; they replace those of the same name. */
  public void write(String markdown, String json) throws IOException {
    Files.createDirectories(table.toAbsolutePath().getParent());
    Files.writeString(table, markdown);
    Files.writeString(values, json);
  }
}
