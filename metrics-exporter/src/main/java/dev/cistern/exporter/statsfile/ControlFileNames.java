/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of the files with commands beside the stats file of a host. */
public final class ControlFileNames {
  /** Ends the name of the file that the JVM's owner writes. */
  public static final String OWNER = ".control";

  /** Ends the name of the file that the sidecar writes. */
  public static final String SIDECAR = ".sidecar-control";

  private ControlFileNames() {}

  /**
   * Removes the files of a host that has ended. A file that cannot be removed stays: no JVM reads
   * it again, because each start draws another id.
   */
  public static void removeOf(Path directory, String hostId) {
    for (String suffix : new String[] {OWNER, SIDECAR}) {
      try {
        Files.deleteIfExists(directory.resolve(hostId + suffix));
      } catch (IOException kept) {
        // A directory, or a file of another user in a sticky directory.
      }
    }
  }
}
