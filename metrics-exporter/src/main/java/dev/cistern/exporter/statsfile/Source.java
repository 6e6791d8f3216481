/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Source of the bytes of a stats file. */
interface Source {
  /** Returns the current number of bytes. */
  long size() throws IOException;

  /**
   * Fills the start of {@code into}.
   *
   * @throws StatsFileException if there are fewer bytes
   */
  void read(long at, byte[] into, int length) throws IOException;

  /**
   * Returns a source that uses plain reads of a file. Truncation is then an error, whereas it would
   * end the JVM with a mapping.
   */
  static Source of(FileChannel channel) {
    return new Source() {
      /**
       * Maximum size of a read. A larger read would take direct memory of that size until the
       * thread ends.
       */
      private static final int PIECE_BYTES = 64 << 10;

      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void read(long at, byte[] into, int length) throws IOException {
        for (int done = 0; done < length; ) {
          int piece = Math.min(PIECE_BYTES, length - done);
          int read = channel.read(ByteBuffer.wrap(into, done, piece), at + done);
          if (read <= 0) {
            throw new StatsFileException("the file ends at " + (at + done));
          }
          done += read;
        }
      }
    };
  }

  /** Returns a source that reads from memory. */
  static Source of(byte[] bytes) {
    return new Source() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public void read(long at, byte[] into, int length) throws IOException {
        if (length > bytes.length - at) {
          throw new StatsFileException("the file ends at " + bytes.length);
        }
        System.arraycopy(bytes, (int) at, into, 0, length);
      }
    };
  }
}
