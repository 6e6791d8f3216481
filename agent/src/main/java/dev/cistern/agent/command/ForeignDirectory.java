/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes files to a directory of another user, as root. That user may replace files and the
 * directory by symbolic links at any time, so no step follows a link.
 */
final class ForeignDirectory implements AutoCloseable {
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rw-r--r--");

  private final SecureDirectoryStream<Path> stream;

  private ForeignDirectory(SecureDirectoryStream<Path> stream) {
    this.stream = stream;
  }

  /** Opens a directory. Refuses a symbolic link. */
  @SuppressWarnings("StreamResourceLeak") // close() closes it
  static ForeignDirectory open(Path path) throws IOException {
    DirectoryStream<Path> opened = Files.newDirectoryStream(path);
    if (opened instanceof SecureDirectoryStream<Path> stream) {
      Object key =
          stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
      BasicFileAttributes named =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (named.isDirectory() && Objects.equals(key, named.fileKey())) {
        return new ForeignDirectory(stream);
      }
    }
    opened.close();
    throw new IOException(path + " is not a directory, or a symbolic link");
  }

  /** Returns the owner of a file. */
  UserPrincipal owner(String name) throws IOException {
    return view(name).getOwner();
  }

  /**
   * Writes a new file that all users can read and its owner can write. Another user's file is not
   * opened again, because that user may have replaced it, unless the umask or the owner requires
   * it.
   *
   * @param user owner of the file, or root; null: the user of this process
   * @param needsOwner whether {@code user} must own it, also if this process is root's
   * @return its name
   * @throws AccessDeniedException if this process is neither that user's nor root's
   */
  String create(
      String prefix,
      String suffix,
      byte[] content,
      @Nullable UserPrincipal user,
      boolean needsOwner)
      throws IOException {
    String name = prefix + Long.toHexString(ThreadLocalRandom.current().nextLong()) + suffix;
    try (SeekableByteChannel out =
        stream.newByteChannel(
            Path.of(name),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(READABLE))) {
      for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
        int unused = out.write(rest);
      }
    }
    PosixFileAttributeView view = view(name);
    if (!view.readAttributes().permissions().equals(READABLE)) {
      view.setPermissions(READABLE); // the umask has removed some permissions
    }
    UserPrincipal owner = view.readAttributes().owner();
    if (user != null && !user.equals(owner)) {
      if (!owner.getName().equals("root")) {
        delete(name);
        throw new AccessDeniedException(name);
      }
      if (needsOwner) {
        view.setOwner(user);
      }
    }
    return name;
  }

  private PosixFileAttributeView view(String name) {
    return stream.getFileAttributeView(
        Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  void rename(String from, String to) throws IOException {
    stream.move(Path.of(from), stream, Path.of(to));
  }

  void delete(String name) throws IOException {
    stream.deleteFile(Path.of(name));
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
