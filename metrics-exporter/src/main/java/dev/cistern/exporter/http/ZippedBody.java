/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A body that is held in compressed form only, for reports that repeat the same frames ten thousand
 * times.
 *
 * @param zipped the compressed bytes; not to be changed
 * @param plainBytes size in bytes before compression
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ZippedBody(byte[] zipped, long plainBytes) {
  private static final int PIECE_BYTES = 8 << 10;

  /** Writes a body. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  public static ZippedBody of(Content content) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    Counter counter = new Counter(new GZIPOutputStream(zipped));
    try (counter) {
      content.write(counter);
    }
    return new ZippedBody(zipped.toByteArray(), counter.bytes);
  }

  void writePlain(OutputStream out) throws IOException {
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int read = plain.read(piece); read >= 0; read = plain.read(piece)) {
        out.write(piece, 0, read);
      }
    }
  }

  private static final class Counter extends FilterOutputStream {
    private long bytes;

    Counter(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      bytes++;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      out.write(from, offset, length);
      bytes += length;
    }
  }
}
