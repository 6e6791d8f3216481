/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import dev.cistern.exporter.statsfile.UserDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks on files beside the dumps, which show that a process runs. The operating system releases a
 * lock whenever its process ends, even after a crash. A process ID is not enough, because
 * containers do not share process IDs.
 *
 * <p>One thread at a time uses a {@code DumpLock}.
 */
final class DumpLock {
  private final Path directory;

  /** Never closed while in use: closing the channel would release the lock. */
  private @Nullable FileChannel held;

  DumpLock(Path directory) {
    this.directory = directory;
  }

  private Path file(String process) {
    return directory.resolve(DumpName.lock(process));
  }

  /**
   * Takes the lock of this process unless it already has the lock. If the file system has no locks,
   * there is no file, and the process counts as ended.
   *
   * @param open names of the files that this process has open
   */
  void take(String process, Set<String> open) {
    if (open.contains(DumpName.lock(process)) && Files.exists(file(process))) {
      return;
    }
    release();
    try {
      held =
          FileChannel.open(
              file(process),
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
              UserDirectory.permissions(directory, "rw-------"));
      if (held.tryLock(0, 1, false) == null) {
        release(); // another process checks the lock now; the next dump tries again
      }
    } catch (OverlappingFileLockException heldHere) {
      // Do not close: that would release the lock, which another object of this process holds.
    } catch (IOException | RuntimeException noLocks) {
      release();
      remove(process);
    }
  }

  private void release() {
    try {
      if (held != null) {
        held.close();
      }
    } catch (IOException e) {
      // The channel is closed even after a failure.
    }
    held = null;
  }

  /**
   * Returns whether a process runs. A process counts as running if this process may not open its
   * file, because this process cannot remove its dumps either.
   *
   * @param open names of the files that this process has open
   */
  boolean isRunning(String process, Set<String> open) {
    if (open.contains(DumpName.lock(process))) {
      return true;
    }
    if (!Files.isRegularFile(file(process), LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(file(process), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock(0, 1, true) == null;
    } catch (IOException | OverlappingFileLockException e) {
      return true;
    }
  }

  /** Removes the lock file of a process that has ended. */
  void remove(String process) {
    try {
      Files.deleteIfExists(file(process));
    } catch (IOException e) {
      // The file is empty, and the next dump tries again.
    }
  }
}
