/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A stats file that is written through a mapping. It is created under another name and renamed when
 * it is readable. It never changes its length, because an access to a truncated page of a mapping
 * ends the JVM.
 */
final class MappedFile {
  /** Size of a write, which is also the direct memory that the JDK keeps for the writing thread. */
  private static final int PIECE_BYTES = 8_192;

  /**
   * Options that never open an existing file or link, because other users may write to the
   * directory.
   */
  private static final Set<OpenOption> NEW_FILE =
      Set.of(
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);

  /** Suffix of the name of an unfinished file. */
  static final String UNFINISHED = ".tmp";

  private static final String PERMISSIONS = "rw-r-----";

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path unpublished;
  private final FileChannel channel;
  private final @Nullable Object key;
  private final MappedByteBuffer map;
  private final int bytes;

  /** Whether the file system has locks. */
  private final boolean isLockable;

  /** Lock on the file; null while the writer does not hold it. */
  private @Nullable FileLock lock;

  private final CRC32C checksum = new CRC32C();
  private final byte[] frameHeader = new byte[Layout.FRAME_HEADER_BYTES];
  private int lastSlot = 1;
  private long lastSequence;

  private MappedFile(
      Path unpublished,
      FileChannel channel,
      @Nullable Object key,
      MappedByteBuffer map,
      int bytes,
      @Nullable FileLock lock) {
    this.unpublished = unpublished;
    this.channel = channel;
    this.key = key;
    this.map = map;
    this.bytes = bytes;
    this.lock = lock;
    this.isLockable = lock != null;
  }

  /** Returns the size of a slot in a file of {@code fileBytes}. */
  static int slotBytes(int fileBytes) {
    return (fileBytes - Layout.FIRST_SLOT_AT) / Layout.SLOTS & -Layout.WORD;
  }

  /** Creates a file of {@code bytes} with its header. All bytes are written. */
  static MappedFile create(Path directory, HostIdentity host, int bytes, long intervalMillis)
      throws IOException {
    byte[] header = HeaderWriter.header(host, bytes, intervalMillis);
    Path path = directory.resolve("." + host.id() + "." + bytes + UNFINISHED);
    Files.deleteIfExists(path); // of an earlier attempt: the ID is unique
    @SuppressWarnings("resource") // its owner closes it
    FileChannel channel = openNew(path);
    try {
      fill(channel, bytes);
      FileLock lock = lock(channel);
      MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      MappedFile made = new MappedFile(path, channel, attributes(path).fileKey(), map, bytes, lock);
      made.putHeader(header, made.isLockable ? Layout.LOCK_FLAG : 0);
      return made;
    } catch (IOException | RuntimeException | Error failure) {
      channel.close();
      Files.deleteIfExists(path);
      throw failure;
    }
  }

  /**
   * Opens a new file. The channel stays with this file even if another user renames or replaces it.
   */
  static FileChannel openNew(Path path) throws IOException {
    return FileChannel.open(path, NEW_FILE, UserDirectory.permissions(path, PERMISSIONS));
  }

  static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns whether the file is at {@code path} with its original length. It is looked up by name,
   * because an interrupt of a thread that uses the channel would close the channel and release the
   * lock.
   *
   * @throws StatsFileException if the file was truncated: then its mapping must not be accessed
   */
  boolean isAt(Path path) throws StatsFileException {
    BasicFileAttributes found;
    try {
      found = attributes(path);
    } catch (IOException gone) {
      return false;
    }
    if (!found.isRegularFile() || !Objects.equals(found.fileKey(), key)) {
      return false;
    }
    if (found.size() != bytes) {
      throw new StatsFileException(path + " was cut off, and could not be made again");
    }
    return true;
  }

  /**
   * Writes all bytes of the file. Otherwise an access to a page of the mapping could cause a SIGBUS
   * when the file system is full.
   */
  private static void fill(FileChannel channel, int bytes) throws IOException {
    write(channel, new byte[PIECE_BYTES], bytes);
  }

  /** Writes {@code bytes} in total by repeating {@code content}. */
  static void write(FileChannel channel, byte[] content, int bytes) throws IOException {
    for (int written = 0; written < bytes; ) {
      int from = written % content.length;
      int piece = Math.min(Math.min(PIECE_BYTES, content.length - from), bytes - written);
      written += channel.write(ByteBuffer.wrap(content, from, piece));
    }
  }

  /** Returns the lock; null if the file system has no locks, or a test disables them. */
  private static @Nullable FileLock lock(FileChannel channel) {
    try {
      boolean isHidden = Boolean.getBoolean("cistern.test.noLocks");
      return isHidden ? null : channel.tryLock(Layout.LOCK_AT, 1, false);
    } catch (IOException unsupported) {
      return null;
    }
  }

  /**
   * Takes the lock again. On POSIX the process loses it when any code in it closes a descriptor of
   * the file, for example after reading it, and no call says whether it still holds it. A reader
   * that looks in the microseconds without a lock still sees a fresh heartbeat.
   */
  void lockAgain() {
    if (!isLockable) {
      return;
    }
    try {
      FileLock before = lock;
      lock = null;
      if (before != null) {
        before.release();
      }
      lock = channel.tryLock(Layout.LOCK_AT, 1, false);
    } catch (IOException | OverlappingFileLockException busy) {
      // The next heartbeat tries again.
    }
  }

  private void putHeader(byte[] header, long flags) {
    map.put(0, header);
    put(Layout.FLAGS_AT, flags);
    put(Layout.READY_AT, Layout.READY);
  }

  /** Writes a value after all earlier writes. */
  private void put(int at, long value) {
    LONGS.setRelease(map, at, value);
  }

  long bytes() {
    return bytes;
  }

  /** Returns the size of the content that fits into a slot. */
  int capacity() {
    return slotBytes(bytes) - Layout.FRAME_HEADER_BYTES;
  }

  private int slotAt(int slot) {
    return Layout.FIRST_SLOT_AT + slot * slotBytes(bytes);
  }

  /** Renames the file to its final name, and atomically replaces an existing file. */
  void publish(Path path) throws IOException {
    Files.move(
        unpublished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes a frame over the older of the two frames.
   *
   * @param sequence even, higher than any before
   */
  void put(long sequence, byte[] content, int length, long timeMillis) {
    int slot = 1 - lastSlot;
    int at = slotAt(slot);
    put(at + Layout.SEQUENCE_AT, sequence - 1);
    VarHandle.storeStoreFence(); // the following writes become visible after this
    Layout.put(frameHeader, Layout.LENGTH_AT, length);
    Layout.put(frameHeader, Layout.TIME_MILLIS_AT, timeMillis);
    checksum.reset();
    checksum.update(frameHeader, Layout.LENGTH_AT, Layout.FRAME_HEADER_BYTES - Layout.LENGTH_AT);
    checksum.update(content, 0, length);
    put(at + Layout.CHECKSUM_AT, checksum.getValue());
    put(at + Layout.LENGTH_AT, length);
    put(at + Layout.TIME_MILLIS_AT, timeMillis);
    map.put(at + Layout.FRAME_HEADER_BYTES, content, 0, length);
    put(at + Layout.SEQUENCE_AT, sequence);
    lastSlot = slot;
    lastSequence = sequence;
  }

  /** Returns the region of the history. */
  ByteBuffer history() {
    return map.slice(Layout.HEADER_BYTES, HistoryRing.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Copies the history and the newest frame of another file, which is not larger. */
  void copyContent(MappedFile from) {
    history().put(from.history());
    if (from.lastSequence > 0) {
      int at = from.slotAt(from.lastSlot);
      int length = (int) (long) LONGS.get(from.map, at + Layout.LENGTH_AT);
      byte[] content = new byte[length];
      from.map.get(at + Layout.FRAME_HEADER_BYTES, content);
      long timeMillis = (long) LONGS.get(from.map, at + Layout.TIME_MILLIS_AT);
      put(from.lastSequence, content, length, timeMillis);
    }
  }

  void heartbeat(long nowMillis) {
    put(Layout.HEARTBEAT_MILLIS_AT, nowMillis);
  }

  void failures(long count) {
    put(Layout.FAILURES_AT, count);
  }

  void exitCleanly() {
    put(Layout.EXIT_AT, Layout.EXITED_CLEANLY);
  }

  /**
   * Releases the lock. The garbage collector unmaps the file after it has collected this object.
   */
  void close() throws IOException {
    channel.close();
  }

  /** Closes and removes a file that was never published. */
  void discard() throws IOException {
    channel.close();
    Files.deleteIfExists(unpublished);
  }
}
