/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The files that this process has open. On POSIX systems, a process loses its lock on a file if any
 * code in it opens and closes the file. So code that checks locks must not open these files.
 */
public final class OpenFiles {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /**
   * Returns the names of the files without directories; an empty set on systems other than Linux.
   */
  public static Set<String> names() {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        add(descriptor, names);
      }
    } catch (IOException | DirectoryIteratorException unknown) {
      // no such directory
    }
    return names;
  }

  private static void add(Path descriptor, Set<String> names) {
    try {
      names.add(String.valueOf(Files.readSymbolicLink(descriptor).getFileName()));
    } catch (IOException closed) {
      // the file was closed after the directory was read
    }
  }
}
