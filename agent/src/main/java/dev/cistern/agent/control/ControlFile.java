/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file with commands, read when it changes.
 *
 * <p>It is accepted only as a regular file that belongs to the user of this JVM or to root, and
 * that no other user can write. A symbolic link to such a file is accepted, because Kubernetes
 * mounts a ConfigMap that way.
 */
final class ControlFile {
  private static final int MAX_BYTES = 16 << 10;
  private static final int ROOT = 0;
  private static final int REGULAR = 0100000;
  private static final int TYPE = 0170000;

  /** Write permission for the group and for all users. */
  private static final int WRITABLE_BY_OTHERS = 022;

  private static final String ATTRIBUTES = "unix:uid,mode,size,lastModifiedTime,ctime,fileKey";

  private final Path path;
  private final int user;

  /** The attributes of the file that was read last; null if there was none. */
  private @Nullable Map<String, Object> seen;

  /** The attributes of the file that was refused last, and the cause. */
  private List<Object> refusal = List.of();

  /**
   * Creates a watch of a file.
   *
   * @param user the number of this JVM's user
   */
  ControlFile(Path path, int user) {
    this.path = path;
    this.user = user;
  }

  Path path() {
    return path;
  }

  /** Returns the modification time of the file that was read last. */
  FileTime modified() {
    return seen == null
        ? FileTime.fromMillis(0)
        : (FileTime) Objects.requireNonNull(seen.get("lastModifiedTime"));
  }

  /**
   * Returns the lines of the file if it has changed since the last call, otherwise null. A file
   * that disappears is no change. If the file cannot be read, the next call tries again.
   *
   * @throws IOException if the file is refused or cannot be read, unless the last call has thrown
   *     the same
   */
  @Nullable List<String> poll() throws IOException {
    Map<String, Object> found = Map.of();
    try {
      Path real = path.toRealPath();
      Map<String, Object> named = attributes(path);
      checkOwner(named); // that of a link: another user must not choose the file
      found = attributes(real);
      if (found.equals(seen)) {
        return null;
      }
      check(found);
      String text = read(real);
      if (!found.equals(attributes(real)) || !named.equals(attributes(path))) {
        return null; // it changed meanwhile: the next call reads it
      }
      seen = found;
      refusal = List.of();
      return text.lines().toList();
    } catch (NoSuchFileException none) {
      seen = null;
      refusal = List.of();
      return null;
    } catch (IOException refused) {
      List<Object> now = List.of(found, refused.toString());
      if (now.equals(refusal)) {
        return null;
      }
      refusal = now;
      throw refused;
    }
  }

  private static Map<String, Object> attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    } catch (UnsupportedOperationException noUnix) {
      throw new IOException("this file system has no Unix owners and permissions", noUnix);
    }
  }

  private void checkOwner(Map<String, Object> found) throws IOException {
    int owner = (Integer) Objects.requireNonNull(found.get("uid"));
    if (owner != user && owner != ROOT) {
      throw new IOException("owner: " + owner + " (expected: " + user + " or root)");
    }
  }

  private void check(Map<String, Object> found) throws IOException {
    int mode = (Integer) Objects.requireNonNull(found.get("mode"));
    long size = (Long) Objects.requireNonNull(found.get("size"));
    if ((mode & TYPE) != REGULAR) {
      throw new IOException("it is not a regular file");
    }
    checkOwner(found);
    if ((mode & WRITABLE_BY_OTHERS) != 0) {
      throw new IOException(
          "permissions: "
              + Integer.toOctalString(mode & 07777)
              + " (expected: not writable by group and others; run chmod go-w)");
    }
    if (size > MAX_BYTES) {
      throw new IOException("size: " + size + " (expected: up to " + MAX_BYTES + " bytes)");
    }
  }

  private static String read(Path file) throws IOException {
    try (InputStream in =
        Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    }
  }
}
