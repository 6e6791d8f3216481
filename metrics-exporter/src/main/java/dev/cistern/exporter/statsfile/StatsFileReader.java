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
 * Reads stats files, which may be anything: what is not a whole one is refused with a {@link
 * StatsFileException}, and what others do to the file meanwhile can do no more. For one thread; its
 * buffers are used again.
 *
 * <p>Not for the file of the process itself, whose lock would be lost: see {@link StatsFileWriter}.
 */
public final class StatsFileReader {
  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final HeaderReader headers = new HeaderReader();
  private final FrameReader frames = new FrameReader();

  /**
   * Reads a file.
   *
   * @throws StatsFileException if it is no stats file, or a damaged one
   * @throws NoSuchFileException if it is not there
   * @throws IOException if it cannot be read
   */
  public StatsFile read(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      return read(Source.of(channel), true);
    }
  }

  /**
   * As {@link #read}, without the frames of stacks, of each only its site, and without the last
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
   * Reads what stands in the header only, which takes one small read.
   *
   * @throws IOException as {@link #read}
   */
  public StatsFileHeader readHeader(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      return headers.read(Source.of(channel));
    }
  }

  /**
   * Reads what tells whether a file has anything new, which takes three small reads.
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
   * Tells whether a file has anything new: what has the same stamp has the same report.
   *
   * @param key of the file, as the file system knows it
   * @param bytes of the file
   * @param first sequence of the first frame
   * @param second sequence of the second frame
   */
  public record Stamp(Object key, long bytes, long first, long second) {}

  /**
   * Reads a file from memory.
   *
   * @throws StatsFileException if it is no stats file, or a damaged one
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
   * Whether some process holds the writer's lock on a file. A file whose header says that it is not
   * locked has none also while its host lives.
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
   * Writes a copy of a file with its newest whole frame only, for keeping: readable as the file
   * itself. It appears under its name when it is whole, and replaces what was there. What cannot be
   * decoded is not copied.
   *
   * @param diedMillis when the host was found dead, milliseconds since the epoch
   * @return what {@link #readSites} would read from the copy
   * @throws StatsFileException if {@code from} is no stats file, or a damaged one
   * @throws IOException if {@code from} cannot be read, or {@code to} not be written
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

  /** Looks before it opens: opening a pipe waits until somebody writes to it. */
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
