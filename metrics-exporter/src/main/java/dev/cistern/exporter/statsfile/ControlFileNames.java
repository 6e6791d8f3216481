/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of the files with commands beside the stats file of a host. */
public final class ControlFileNames {
  /** Suffix of the file that the owner of the JVM writes. */
  public static final String OWNER = ".control";

  /** Suffix of the file that the sidecar writes. */
  public static final String SIDECAR = ".sidecar-control";

  private ControlFileNames() {}

  /**
   * Removes the files of a host that has ended. A file that cannot be removed stays. No JVM reads
   * it again, because each start draws a new ID.
   */
  public static void removeOf(Path directory, String hostId) {
    for (String suffix : new String[] {OWNER, SIDECAR}) {
      try {
        Files.deleteIfExists(directory.resolve(hostId + suffix));
      } catch (IOException kept) {
        // It is a directory, or a file of another user in a sticky directory.
      }
    }
  }
}
