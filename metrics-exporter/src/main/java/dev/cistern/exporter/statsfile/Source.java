/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Where the bytes of a stats file are read from. */
interface Source {
  /** Bytes that are there now. */
  long size() throws IOException;

  /**
   * Fills the start of {@code into}.
   *
   * @throws StatsFileException if there are fewer bytes
   */
  void read(long at, byte[] into, int length) throws IOException;

  /** Reads a file by plain reads: what is no longer there is an error, not the end of the JVM. */
  static Source of(FileChannel channel) {
    return new Source() {
      /** Larger reads would take direct memory of that size for as long as the thread lives. */
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

  /** Reads from memory. */
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
