/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.HostIdentity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A stats file that is written to through a mapping. It is made under another name and renamed when
 * it can be read, and never changes its length: a page that is taken from a mapping ends a JVM.
 */
final class MappedFile {
  /** Not more: the JDK passes up to so many bytes to the system without asking for memory. */
  private static final int PIECE_BYTES = 8_192;

  /** What the name of a file ends with that is not finished. */
  static final String UNFINISHED = ".tmp";

  private static final String PERMISSIONS = "rw-r-----";

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path unpublished;
  private final RandomAccessFile file;
  private final MappedByteBuffer map;
  private final int bytes;
  private final CRC32C checksum = new CRC32C();
  private final byte[] frameHeader = new byte[Layout.FRAME_HEADER_BYTES];
  private int lastSlot = 1;
  private long lastSequence;

  private MappedFile(Path unpublished, RandomAccessFile file, MappedByteBuffer map, int bytes) {
    this.unpublished = unpublished;
    this.file = file;
    this.map = map;
    this.bytes = bytes;
  }

  /** Bytes of a slot in a file of {@code fileBytes}. */
  static int slotBytes(int fileBytes) {
    return (fileBytes - Layout.HEADER_BYTES) / Layout.SLOTS & -Layout.WORD;
  }

  /** Makes a file of {@code bytes}, all of them written, with its header. */
  static MappedFile create(Path directory, HostIdentity host, int bytes, long intervalMillis)
      throws IOException {
    byte[] header = HeaderWriter.header(host, bytes, intervalMillis);
    Path path = directory.resolve("." + host.id() + "." + bytes + UNFINISHED);
    Files.deleteIfExists(path); // of an earlier attempt: nobody else has this id
    Files.createFile(path, permissions(path));
    try {
      @SuppressWarnings("resource") // its owner closes it
      RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
      try {
        fill(file, bytes);
        FileChannel channel = file.getChannel();
        boolean isLocked = lock(channel) != null;
        MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        MappedFile made = new MappedFile(path, file, map, bytes);
        made.putHeader(header, isLocked ? Layout.LOCK_FLAG : 0);
        return made;
      } catch (IOException | RuntimeException | Error failure) {
        file.close();
        throw failure;
      }
    } catch (IOException | RuntimeException | Error failure) {
      Files.deleteIfExists(path);
      throw failure;
    }
  }

  static FileAttribute<?>[] permissions(Path path) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS))
        }
        : new FileAttribute<?>[0];
  }

  /** A page that is in the mapping but not in the file system is a SIGBUS when that is full. */
  private static void fill(RandomAccessFile file, int bytes) throws IOException {
    byte[] zeros = new byte[PIECE_BYTES];
    for (int written = 0; written < bytes; written += PIECE_BYTES) {
      file.write(zeros, 0, Math.min(PIECE_BYTES, bytes - written));
    }
  }

  /** Null where the file system has no locks. */
  private static @Nullable FileLock lock(FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (IOException unsupported) {
      return null;
    }
  }

  private void putHeader(byte[] header, long flags) {
    map.put(0, header);
    put(Layout.FLAGS_AT, flags);
    put(Layout.readyAt(Layout.HEADER_BYTES), Layout.READY);
  }

  /** Written after everything before it. */
  private void put(int at, long value) {
    LONGS.setRelease(map, at, value);
  }

  long bytes() {
    return bytes;
  }

  /** Bytes of content that fit into a slot. */
  int capacity() {
    return slotBytes(bytes) - Layout.FRAME_HEADER_BYTES;
  }

  private int slotAt(int slot) {
    return Layout.HEADER_BYTES + slot * slotBytes(bytes);
  }

  /** Gives the file its name. It is replaced at once where there was one. */
  void publish(Path path) throws IOException {
    Files.move(
        unpublished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes a frame over the older of the two.
   *
   * @param sequence even, higher than any before
   */
  void put(long sequence, byte[] content, int length, long timeMillis) {
    int slot = 1 - lastSlot;
    int at = slotAt(slot);
    put(at + Layout.SEQUENCE_AT, sequence - 1);
    VarHandle.storeStoreFence(); // what follows is not seen before this
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

  /** Takes the newest frame of another file, which is not larger. */
  void copyFrame(MappedFile from) {
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

  void exitCleanly() {
    put(Layout.EXIT_AT, Layout.EXITED_CLEANLY);
  }

  /** Ends the lock. The mapping ends with the garbage collection of this. */
  void close() throws IOException {
    file.close();
  }

  /** Closes and removes what was never published. */
  void discard() throws IOException {
    file.close();
    Files.deleteIfExists(unpublished);
  }
}
