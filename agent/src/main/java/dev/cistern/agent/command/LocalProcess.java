/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process of this machine, as {@code /proc} shows it.
 *
 * @param directory its directory in {@code /proc}
 * @param pid process ID here
 * @param innerPid process ID in its own container
 * @param name of its program, such as {@code java}
 * @param user its owner
 * @param mounts its mount namespace; empty if permission is missing
 */
record LocalProcess(
    Path directory, long pid, long innerPid, String name, String user, String mounts) {
  static final Path PROC = Path.of("/proc");

  private static final int MAX_BYTES = 4 << 20;

  /** Returns a process, or null if it does not exist or the system has no {@code /proc}. */
  static @Nullable LocalProcess read(Path directory) {
    try {
      long pid = Long.parseLong(String.valueOf(directory.getFileName()));
      long innerPid = pid;
      String name = "";
      for (String line : Files.readAllLines(directory.resolve("status"))) {
        String[] fields = line.split("\\s+", -1);
        if (line.startsWith("Name:")) {
          name = fields[1];
        } else if (line.startsWith("NSpid:")) {
          innerPid = Long.parseLong(fields[fields.length - 1]);
        }
      }
      String user = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
      return new LocalProcess(directory, pid, innerPid, name, user, mounts(directory));
    } catch (IOException | RuntimeException gone) {
      return null;
    }
  }

  static String mounts(Path directory) {
    return link(directory.resolve("ns").resolve("mnt"));
  }

  private static String link(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException forbidden) {
      return "";
    }
  }

  /** Returns whether it is a JVM; decides by the name of its program if permission is missing. */
  boolean isJvm() {
    return name.equals("java") || hasJvm();
  }

  /** Returns whether it has the JVM's library mapped. */
  boolean hasJvm() {
    try (Stream<String> lines =
        Files.lines(directory.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.endsWith("/libjvm.so"));
    } catch (IOException | UncheckedIOException forbidden) {
      return false;
    }
  }

  /** Returns whether it has its own file system, such as in a container. */
  boolean isInContainer() {
    return !mounts.isEmpty() && !mounts.equals(mounts(directory.resolveSibling("self")));
  }

  /** Returns whether another user owns it. */
  boolean isOfOtherUser() {
    LocalProcess self =
        read(directory.resolveSibling(String.valueOf(ProcessHandle.current().pid())));
    return self != null && !self.user.equals(user);
  }

  /** Returns the path by which this process reaches a file of that process. */
  Path inRoot(String absolute) {
    return isInContainer()
        ? directory.resolve("root").resolve(absolute.substring(1))
        : Path.of(absolute);
  }

  /** Returns the targets of its open files; null if permission is missing. */
  @Nullable List<String> openFiles() {
    try (Stream<Path> descriptors = Files.list(directory.resolve("fd"))) {
      return descriptors.map(LocalProcess::link).toList();
    } catch (IOException | UncheckedIOException forbidden) {
      return null;
    }
  }

  /**
   * Returns whether it has this file open. Compares the file itself, because any user can create
   * another file of the same name.
   */
  boolean hasOpen(Path file) {
    String name = "/" + file.getFileName();
    try (Stream<Path> descriptors = Files.list(directory.resolve("fd"))) {
      return descriptors.anyMatch(open -> link(open).endsWith(name) && isSame(open, file));
    } catch (IOException | UncheckedIOException forbidden) {
      return false;
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException closed) {
      return false;
    }
  }

  /** Returns whether its user IDs are those of this process. */
  boolean isInSameUserNamespace() {
    String namespace = userNamespace(directory);
    return !namespace.isEmpty()
        && namespace.equals(userNamespace(directory.resolveSibling("self")));
  }

  private static String userNamespace(Path directory) {
    return link(directory.resolve("ns").resolve("user"));
  }

  /** Returns a file of its {@code /proc} directory as text, as {@link #text(Path)} does. */
  String text(String file) {
    return text(directory.resolve(file));
  }

  /**
   * Returns a file as text, cut after 4 MiB; empty if it is not a regular file or cannot be read. A
   * hostile process could offer a file that makes its reader wait or run out of memory.
   */
  static String text(Path path) {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return "";
    }
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException forbidden) {
      return "";
    }
  }
}
