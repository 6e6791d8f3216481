/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.http.EndpointFigures.Refusal;
import dev.cistern.exporter.http.ZippedBody.Content;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * The part of the heap that holds response bodies while clients receive them. A large body is held
 * as it is if there is plenty of memory, compressed if there is little, and not sent if there is
 * none. Otherwise clients that stop receiving would fill the heap.
 */
final class ResponseMemory {
  private static final int PART_OF_HEAP = 8;
  private static final long MAX_BYTES = 32 << 20;

  /**
   * Size up to which a body is not counted, because these bodies are small even for all threads
   * together.
   */
  private static final int UNCOUNTED_BYTES = 16 << 10;

  /** Minimum size for compression. The gzip header of a smaller body costs more than it saves. */
  private static final int MIN_GZIP_BYTES = 512;

  /** Size of one write. The JDK copies each write to a direct buffer, which the thread keeps. */
  private static final int PIECE_BYTES = 8 << 10;

  private final int bytes;
  private final Semaphore free;
  private final EndpointFigures figures;

  /**
   * Creates the memory of responses.
   *
   * @param heapBytes maximum size of the heap
   * @param figures counts the responses that are refused
   */
  ResponseMemory(long heapBytes, EndpointFigures figures) {
    this.bytes = (int) Math.min(MAX_BYTES, heapBytes / PART_OF_HEAP);
    this.free = new Semaphore(bytes);
    this.figures = figures;
  }

  /**
   * A response that can be sent, with its memory, which is reserved until the response is closed.
   *
   * @param head the response without its body
   * @param content the body as it is sent
   * @param sentBytes size of the sent body in bytes
   * @param isZipped whether the sent body is compressed
   * @param release releases the memory
   */
  record ReservedResponse(
      Response head, Content content, long sentBytes, boolean isZipped, Runnable release)
      implements AutoCloseable {
    void write(OutputStream out) throws IOException {
      content.write(out);
    }

    @Override
    public void close() {
      release.run();
    }
  }

  /**
   * Reserves memory for a response, or returns a response that there is none. The caller keeps no
   * other reference to the body.
   *
   * @param mayZip whether the client accepts a compressed body
   */
  ReservedResponse reserve(Response response, boolean mayZip) throws IOException {
    ZippedBody zipped = response.zippedBody();
    if (zipped != null) {
      return reserveZipped(response.withoutBody(), zipped, mayZip);
    }
    byte[] body = response.body();
    boolean isCompressible = response.isCompressible() && body.length >= MIN_GZIP_BYTES;
    boolean isSentZipped = mayZip && isCompressible;
    if (!isSentZipped && takePlain(body.length, isCompressible)) {
      return reserved(response.withoutBody(), body, false);
    }
    return isCompressible
        ? reserveZipped(response.withoutBody(), ZippedBody.of(out -> out.write(body)), isSentZipped)
        : refused();
  }

  private ReservedResponse reserveZipped(Response head, ZippedBody body, boolean isSentZipped) {
    byte[] zipped = body.zipped();
    if (!take(zipped.length)) {
      return refused();
    }
    return isSentZipped
        ? reserved(head, zipped, true)
        : new ReservedResponse(
            head, body::writePlain, body.plainBytes(), false, release(zipped.length));
  }

  private ReservedResponse reserved(Response head, byte[] sent, boolean isZipped) {
    return new ReservedResponse(
        head, out -> writePieces(sent, out), sent.length, isZipped, release(sent.length));
  }

  private Runnable release(int length) {
    return () -> free.release(room(length));
  }

  private ReservedResponse refused() {
    figures.refused(Refusal.BUSY);
    Response response =
        Response.line(Response.UNAVAILABLE, "Too many response bytes are being sent.")
            .with(Map.of("Retry-After", "1"));
    return reserved(response.withoutBody(), response.body(), false);
  }

  /**
   * Reserves memory for an uncompressed body, and returns whether there was enough. A body that
   * could be compressed leaves half of the memory to other responses.
   */
  private boolean takePlain(int length, boolean isCompressible) {
    int left = isCompressible ? bytes / 2 : 0;
    return (room(length) == 0 || free.availablePermits() - room(length) >= left) && take(length);
  }

  private boolean take(int length) {
    return free.tryAcquire(room(length));
  }

  /** Returns the memory that a body reserves. A body larger than the total reserves the total. */
  private int room(int length) {
    return length <= UNCOUNTED_BYTES ? 0 : Math.min(length, bytes);
  }

  private static void writePieces(byte[] body, OutputStream out) throws IOException {
    for (int from = 0; from < body.length; from += PIECE_BYTES) {
      out.write(body, from, Math.min(PIECE_BYTES, body.length - from));
    }
  }
}
