/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SidecarControl;
import dev.cistern.exporter.statsfile.ControlFileNames;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Writer of the files through which hosts receive commands of the sidecar. A file is complete when
 * it appears, because it is renamed into its place. Other users may write to the directory: links
 * are not followed, and files of other users are not replaced.
 *
 * @param directory directory of the hosts' stats files
 * @param log takes a line for each command
 */
record ControlWriter(Path directory, Consumer<String> log) implements SidecarControl {
  private static final Set<PosixFilePermission> PERMISSIONS =
      PosixFilePermissions.fromString("rw-r--r--");

  /** Suffix of the name of an unfinished file, which the agent removes after a day. */
  private static final String UNFINISHED = ".tmp";

  @Override
  public String write(HostView host, String command, String user) throws IOException {
    String name = host.id() + ControlFileNames.SIDECAR;
    String subject = "'" + command + "' for host " + host.id() + " by '" + user + "'";
    try {
      write(host.id(), name, command + "\n");
    } catch (IOException | RuntimeException e) {
      String problem = "cannot write " + name + ": " + reason(e);
      log.accept(LogSanitizer.plain("command failed: " + subject + ": " + problem));
      throw new IOException(problem, e);
    }
    log.accept(LogSanitizer.plain("command written: " + subject));
    return name;
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return e instanceof FileSystemException || message == null ? e.toString() : message;
  }

  private void write(String id, String name, String text) throws IOException {
    Path target = directory.resolve(name);
    Path unfinished =
        directory.resolve(
            "." + name + Long.toHexString(ThreadLocalRandom.current().nextLong()) + UNFINISHED);
    try {
      create(unfinished, text);
      checkReplaceable(target, unfinished);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
    // Otherwise the file could stay after the end of the host, which removes it only once.
    if (Files.notExists(directory.resolve(id + StatsFileWriter.SUFFIX))) {
      Files.deleteIfExists(target);
      throw new IOException("the host has ended");
    }
  }

  private static void create(Path file, String text) throws IOException {
    try (var out =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PERMISSIONS))) {
      out.write(StandardCharsets.UTF_8.encode(text));
    }
    // The umask of the process may have removed permissions.
    PosixFileAttributeView view = posix(file);
    if (!view.readAttributes().permissions().equals(PERMISSIONS)) {
      view.setPermissions(PERMISSIONS);
    }
  }

  /**
   * Checks the file that a rename would replace.
   *
   * @param own file that this process has created
   */
  private static void checkReplaceable(Path target, Path own) throws IOException {
    PosixFileAttributes found;
    try {
      found = posix(target).readAttributes();
    } catch (NoSuchFileException none) {
      return;
    }
    if (!found.isRegularFile()) {
      throw new IOException("a link or another special file has this name; remove it");
    }
    if (!found.owner().equals(posix(own).readAttributes().owner())) {
      throw new IOException(
          "user "
              + found.owner().getName()
              + " owns the file that has this name (expected: the user of the sidecar); remove it");
    }
  }

  private static PosixFileAttributeView posix(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      throw new IOException("the file system has no POSIX permissions");
    }
    return view;
  }
}
