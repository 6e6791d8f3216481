/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/** The default directory of a user's stats files. */
public final class UserDirectory {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path SELF = Path.of("/proc/self");
  private static final String USER_ID = "unix:uid";

  private UserDirectory() {}

  /**
   * Returns {@code cistern-<user>} in {@code /dev/shm}, which is memory. If {@code /dev/shm} does
   * not exist, it is in the directory of temporary files. The user is the user's name, or the user
   * ID if the name is not plain.
   */
  public static Path byDefault() {
    Path parent =
        Files.isDirectory(SHARED_MEMORY)
            ? SHARED_MEMORY
            : Path.of(System.getProperty("java.io.tmpdir"));
    return parent.resolve("cistern-" + user());
  }

  private static String user() {
    String name = System.getProperty("user.name", "");
    boolean isPlain = !name.isEmpty();
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      isPlain &= Character.isLetterOrDigit(letter) || letter == '_' || (letter == '-' && i > 0);
    }
    if (isPlain) {
      return name;
    }
    try {
      return String.valueOf(Files.getAttribute(SELF, USER_ID));
    } catch (IOException | RuntimeException unknown) {
      return "unknown";
    }
  }

  /**
   * Creates a directory that only its owner can enter, or checks an existing one.
   *
   * @throws IOException if it cannot be created, is a symbolic link, or belongs to another user
   */
  public static void makeForUser(Path directory) throws IOException {
    makeForUser(directory, "rwx------");
  }

  /**
   * Creates a directory to which only its owner can write, or checks an existing one.
   *
   * @throws IOException if it cannot be created, is a symbolic link, belongs to another user, or is
   *     writable by all users
   */
  public static void makeForKeeping(Path directory) throws IOException {
    makeForUser(directory, "rwxr-x---");
    if (isPosix(directory)
        && Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
            .contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new StatsFileException(directory + ": all users can write to it");
    }
  }

  /** Returns the permissions of a new file or directory, if its file system has any. */
  public static FileAttribute<?>[] permissions(Path path, String permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path directory) {
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void makeForUser(Path directory, String permissions) throws IOException {
    try {
      Files.createDirectory(directory, permissions(directory, permissions));
      return;
    } catch (FileAlreadyExistsException there) {
      // It exists from an earlier process, or belongs to another user.
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new StatsFileException(directory + " is a link or a file (expected: a directory)");
    }
    if (isPosix(directory) && !belongsToUser(directory)) {
      throw new StatsFileException(directory + " belongs to another user");
    }
  }

  /**
   * Returns whether a directory belongs to this user. Compares user IDs if the system shows the ID
   * of this process, otherwise names.
   */
  private static boolean belongsToUser(Path directory) throws IOException {
    if (Files.exists(SELF)) {
      return Files.getAttribute(SELF, USER_ID)
          .equals(Files.getAttribute(directory, USER_ID, LinkOption.NOFOLLOW_LINKS));
    }
    return Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
        .getName()
        .equals(System.getProperty("user.name"));
  }
}
