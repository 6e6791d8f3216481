/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Limit and use of memory of the container of this process, from cgroup v2 or v1 (kernel
 * documentation, cgroup-v2.rst). Pages of files are not part of the use, because the kernel frees
 * them before it ends a process.
 *
 * @param limitBytes the lowest limit of the group and those above it; -1 if there is none
 * @param usedBytes use of the group with that limit
 */
public record Cgroup(long limitBytes, long usedBytes) {
  /** No container, or no limit. */
  public static final Cgroup NONE = new Cgroup(-1, -1);

  /** Values above this limit mean that there is no limit. */
  private static final long MAX_LIMIT = 1L << 50;

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  /** Reads the group of this process; {@link #NONE} if there is no limit. */
  public static Cgroup read() {
    return read(Path.of("/proc/self/cgroup"), ROOT);
  }

  static Cgroup read(Path groups, Path root) {
    try {
      for (String line : ProcFiles.lines(groups.toFile())) {
        String[] parts = line.split(":", 3);
        if (parts.length == 3 && parts[1].isEmpty()) {
          Cgroup found = lowest(root, parts[2], Version.V2);
          if (found.limitBytes > 0) {
            return found;
          }
        } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
          Cgroup found = lowest(root.resolve("memory"), parts[2], Version.V1);
          if (found.limitBytes > 0) {
            return found;
          }
        }
      }
    } catch (IOException | RuntimeException withoutGroups) {
      // not Linux, or a sandbox that does not show them
    }
    return NONE;
  }

  private enum Version {
    V2("memory.max", "memory.current", "inactive_file ", "active_file "),
    V1(
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file ",
        "total_active_file ");

    final String limit;
    final String use;
    final String inactiveFiles;
    final String activeFiles;

    Version(String limit, String use, String inactiveFiles, String activeFiles) {
      this.limit = limit;
      this.use = use;
      this.inactiveFiles = inactiveFiles;
      this.activeFiles = activeFiles;
    }

    /** Returns the bytes of a line of {@code memory.stat} if it counts pages of files. */
    long files(String line) {
      for (String key : new String[] {inactiveFiles, activeFiles}) {
        if (line.startsWith(key)) {
          return Long.parseLong(line, key.length(), line.length(), 10);
        }
      }
      return 0;
    }
  }

  /**
   * Returns the lowest limit of a group and its ancestors. In a container, the path of the group
   * may be that of the machine, so that the root is checked, too.
   */
  private static Cgroup lowest(Path root, String group, Version version) throws IOException {
    Cgroup lowest = NONE;
    Path own = root.resolve(group.replaceFirst("^/+", "")).normalize();
    Path at = own.startsWith(root) && Files.isDirectory(own) ? own : root;
    while (at != null && at.startsWith(root)) {
      long limit = number(at.resolve(version.limit));
      if (limit > 0 && limit < MAX_LIMIT && (lowest.limitBytes < 0 || limit < lowest.limitBytes)) {
        lowest = new Cgroup(limit, used(at, version));
      }
      at = at.getParent();
    }
    return lowest;
  }

  private static long used(Path group, Version version) throws IOException {
    long used = number(group.resolve(version.use));
    long files = 0;
    File stat = group.resolve("memory.stat").toFile();
    if (stat.exists()) {
      for (String line : ProcFiles.lines(stat)) {
        files += version.files(line);
      }
    }
    return Math.max(0, used - files);
  }

  private static long number(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      return -1;
    }
    String text = ProcFiles.read(file.toFile()).strip();
    return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
  }
}
