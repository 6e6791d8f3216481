/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.util.zip.CRC32C;

/** Reader of the newest whole frame, even while a writer is active. Its buffer is reused. */
final class FrameReader {
  /** Number of attempts. All fail only if the writer writes as often during a few reads. */
  private static final int ATTEMPTS = 8;

  private final CRC32C checksum = new CRC32C();
  private final byte[] frameHeader = new byte[Layout.FRAME_HEADER_BYTES];
  private byte[] frame = new byte[Layout.FRAME_HEADER_BYTES];
  private int length;
  private long sequence;
  private long first;
  private long second;
  private boolean isTorn;

  /** Returns the bytes of the frame that was read, with its header. */
  byte[] frame() {
    return frame;
  }

  /** Returns the length of the content, which begins at {@link Layout#FRAME_HEADER_BYTES}. */
  int length() {
    return length;
  }

  /** Returns the sequence number of the frame, which grows with each frame that a host writes. */
  long sequence() {
    return sequence;
  }

  /** Returns whether the other frame is not whole. */
  boolean isTorn() {
    return isTorn;
  }

  /** Reads only the sequence numbers of both frames. */
  void readSequences(Source source, HeaderReader header) throws IOException {
    first = sequence(source, header, 0);
    second = sequence(source, header, 1);
  }

  /** Returns the sequence number of the first frame at the last read, whole or not. */
  long first() {
    return first;
  }

  /** Returns the sequence number of the second frame at the last read, whole or not. */
  long second() {
    return second;
  }

  /**
   * Reads the newest whole frame.
   *
   * @return whether there is one; false in a file without any frame yet
   * @throws StatsFileException if the file has frames, but none is whole
   */
  boolean read(Source source, HeaderReader header) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long lastFirst = first;
      long lastSecond = second;
      readSequences(source, header);
      if (attempt > 0 && first == lastFirst && second == lastSecond) {
        break; // no process writes: the file is damaged
      }
      int newest = whole(second) > whole(first) ? 1 : 0;
      long found = newest == 0 ? first : second;
      long other = newest == 0 ? second : first;
      isTorn = isOdd(first) || isOdd(second);
      if (whole(found) == 0) {
        return false;
      }
      if (read(source, header, newest, found)) {
        return true;
      }
      isTorn = true;
      if (whole(other) > 0
          && read(source, header, 1 - newest, other)
          && sequence(source, header, newest) == found) {
        return true;
      }
    }
    throw new StatsFileException("no frame is whole");
  }

  private static boolean isOdd(long sequence) {
    return (sequence & 1) != 0;
  }

  /** Returns 0 for a frame that is missing or is being written, otherwise its sequence number. */
  private static long whole(long sequence) {
    return isOdd(sequence) || sequence < 0 ? 0 : sequence;
  }

  private long sequence(Source source, HeaderReader header, int slot) throws IOException {
    if (header.slotBytes[slot] < Layout.FRAME_HEADER_BYTES) {
      return 0;
    }
    source.read(header.slotsAt[slot], frameHeader, Layout.FRAME_HEADER_BYTES);
    return Layout.get(frameHeader, Layout.SEQUENCE_AT);
  }

  /**
   * Returns whether the frame has this sequence number at its begin and end, and the right
   * checksum.
   */
  private boolean read(Source source, HeaderReader header, int slot, long expected)
      throws IOException {
    if (sequence(source, header, slot) != expected) {
      return false;
    }
    long content = Layout.get(frameHeader, Layout.LENGTH_AT);
    if (content < 0 || content > header.slotBytes[slot] - Layout.FRAME_HEADER_BYTES) {
      return false;
    }
    int bytes = Layout.FRAME_HEADER_BYTES + (int) content;
    if (frame.length < bytes) {
      frame = new byte[bytes];
    }
    source.read(header.slotsAt[slot], frame, bytes);
    if (Layout.get(frame, Layout.LENGTH_AT) != content || !isRight(bytes)) {
      return false;
    }
    length = (int) content;
    sequence = expected;
    return sequence(source, header, slot) == expected;
  }

  private boolean isRight(int bytes) {
    checksum.reset();
    checksum.update(frame, Layout.LENGTH_AT, bytes - Layout.LENGTH_AT);
    return checksum.getValue() == Layout.get(frame, Layout.CHECKSUM_AT);
  }
}
