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
 * Locks on files beside the dumps, by which processes show that they run. The system releases a
 * lock when its process ends, however that happens. Process IDs mean nothing across containers.
 *
 * <p>One thread at a time uses it.
 */
final class DumpLock {
  private final Path directory;

  /** Not closed: the lock lasts as long as the process, or as this object is used. */
  private @Nullable FileChannel held;

  DumpLock(Path directory) {
    this.directory = directory;
  }

  private Path file(String process) {
    return directory.resolve(DumpName.lock(process));
  }

  /**
   * Takes the lock of this process unless this process has it. Where the file system has no locks,
   * there is no file, and the process counts as one that has ended.
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
        release(); // another process looks at it just now; the next dump tries again
      }
    } catch (OverlappingFileLockException ours) {
      // Not closed: that would release the lock, which another object of this process has.
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
      // It is closed all the same.
    }
    held = null;
  }

  /**
   * Returns whether a process runs. One whose file this process may not open counts as running: its
   * dumps cannot be removed either.
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

  /** Removes the file of a process that has ended. */
  void remove(String process) {
    try {
      Files.deleteIfExists(file(process));
    } catch (IOException e) {
      // It is empty, and the next dump tries again.
    }
  }
}
