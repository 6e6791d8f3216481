/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;

/**
 * Reader of stats files, which may contain anything. A file that is not a whole stats file is
 * refused with a {@link StatsFileException}, and changes by other processes during the read have no
 * other effect. For one thread; its buffers are reused.
 *
 * <p>It must not read a file of this process, because that would release the file's lock: see
 * {@link StatsFileWriter}.
 */
public final class StatsFileReader {
  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final HeaderReader headers = new HeaderReader();
  private final FrameReader frames = new FrameReader();

  /**
   * Reads a file.
   *
   * @throws StatsFileException if it is not a stats file, or is damaged
   * @throws NoSuchFileException if it does not exist
   * @throws IOException if it cannot be read
   */
  public StatsFile read(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      return read(Source.of(channel), true);
    }
  }

  /**
   * Does the same as {@link #read}, but of stacks it reads only the sites, and it omits the last
   * uses of leaks.
   *
   * @throws IOException as {@link #read}
   */
  public StatsFile readSites(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      return read(Source.of(channel), false);
    }
  }

  /**
   * Reads only the header, which takes one small read.
   *
   * @throws IOException as {@link #read}
   */
  public StatsFileHeader readHeader(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      return headers.read(Source.of(channel));
    }
  }

  /**
   * Reads the stamp of a file, which takes three small reads.
   *
   * @throws IOException as {@link #read}
   */
  public Stamp readStamp(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      Object key = MappedFile.attributes(path).fileKey();
      Source source = Source.of(channel);
      StatsFileHeader header = headers.read(source);
      frames.readSequences(source, headers);
      return new Stamp(
          Objects.requireNonNullElse(key, 0), header.fileBytes(), frames.first(), frames.second());
    }
  }

  /**
   * Reads the history of a file.
   *
   * @throws IOException as {@link #read}
   */
  public History readHistory(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      Source source = Source.of(channel);
      StatsFileHeader unused = headers.read(source);
      byte[] region = history(source);
      return region.length == 0 ? History.NONE : HistoryRing.read(region);
    }
  }

  private byte[] history(Source source) throws IOException {
    byte[] region = new byte[headers.historyAt == 0 ? 0 : HistoryRing.BYTES];
    source.read(headers.historyAt, region, region.length);
    return region;
  }

  /**
   * Stamp of the content of a file: files with the same stamp have the same report.
   *
   * @param key key of the file in the file system
   * @param bytes size of the file
   * @param first sequence number of the first frame
   * @param second sequence number of the second frame
   */
  public record Stamp(Object key, long bytes, long first, long second) {}

  /**
   * Reads a file from memory.
   *
   * @throws StatsFileException if it is not a stats file, or is damaged
   */
  public StatsFile read(byte[] bytes) throws IOException {
    return read(Source.of(bytes), true);
  }

  private StatsFile read(Source source, boolean withFrames) throws IOException {
    StatsFileHeader header = headers.read(source);
    if (!frames.read(source, headers)) {
      return new StatsFile(header, isTorn(), 0, null, 0);
    }
    return decode(header, withFrames);
  }

  /** Decodes the frame that was just read. */
  private StatsFile decode(StatsFileHeader header, boolean withFrames) throws StatsFileException {
    ReportDecoder.Decoded decoded =
        ReportDecoder.decode(
            frames.frame(), Layout.FRAME_HEADER_BYTES, frames.length(), withFrames);
    HostView host = decoded.host().as(header.identity());
    return new StatsFile(header, isTorn(), frames.sequence(), host, decoded.heapBytes());
  }

  private boolean isTorn() {
    return frames.isTorn() || (headers.flags & Layout.TORN_FLAG) != 0;
  }

  /**
   * Returns whether a process holds the writer's lock on a file. If the header says that the file
   * is not locked, it has no lock even while its host runs.
   *
   * @throws IOException if the file cannot be opened, or its file system has no locks
   */
  public static boolean isLocked(Path path) throws IOException {
    if (StatsFileWriter.isOpenHere(path)) {
      return true;
    }
    try (FileChannel channel = open(path)) {
      return channel.tryLock(Layout.LOCK_AT, 1, true) == null;
    } catch (OverlappingFileLockException ours) {
      return true;
    }
  }

  /**
   * Writes a copy of a file that has only its newest whole frame, and can be read in the same way.
   * The copy appears under its name when it is complete, and replaces an existing file. Parts that
   * cannot be decoded are not copied.
   *
   * @param diedMillis when the end of the host was detected, in milliseconds since the epoch
   * @return the result of {@link #readSites} for the copy
   * @throws StatsFileException if {@code from} is not a stats file, or is damaged
   * @throws IOException if {@code from} cannot be read, or {@code to} cannot be written
   */
  public StatsFile copy(Path from, Path to, long diedMillis) throws IOException {
    StatsFileHeader header;
    boolean hasFrame;
    byte[] history;
    try (FileChannel channel = open(from)) {
      Source source = Source.of(channel);
      header = headers.read(source);
      hasFrame = frames.read(source, headers);
      history = history(source);
    }
    StatsFile read = hasFrame ? decode(header, false) : new StatsFile(header, isTorn(), 0, null, 0);
    byte[] bytes =
        CompactCopy.bytes(headers, history, hasFrame ? frames : null, isTorn(), diedMillis);
    CompactCopy.write(bytes, to);
    StatsFileHeader copied = headers.read(Source.of(bytes));
    return new StatsFile(copied, read.isTorn(), read.sequence(), read.report(), read.heapBytes());
  }

  /**
   * Opens a file after a check of its type, because opening a pipe would block until another
   * process writes to it.
   */
  private static FileChannel open(Path path) throws IOException {
    BasicFileAttributes found = MappedFile.attributes(path);
    if (!found.isRegularFile()) {
      throw new StatsFileException("this is not a file but a " + kind(found));
    }
    return FileChannel.open(path, OPTIONS);
  }

  private static String kind(BasicFileAttributes found) {
    if (found.isSymbolicLink()) {
      return "symbolic link";
    }
    return found.isDirectory() ? "directory" : "pipe, socket or device";
  }
}
