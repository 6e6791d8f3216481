/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection and their responses, in order. The session combines the responses
 * to requests of one read in as few buffers as possible.
 */
final class HttpSession {
  /** The receiver of the responses. */
  interface Sink {
    /** Returns false if so many bytes wait for the client that no more should be added. */
    boolean isWritable();

    /** Writes a buffer and takes its ownership. */
    void write(ByteBuf answers);
  }

  /**
   * The size of two dozen responses, so that a client that pipelines 16 requests receives them in
   * one buffer.
   */
  private static final int MAX_OUTPUT_BYTES = 4 << 10;

  /** The approximate ratio of the lengths of responses and requests. */
  private static final int OUTPUT_FOR_INPUT = 4;

  private final ByteBufAllocator allocator;
  private final Responses responses;
  private final Sink sink;
  private final RequestHead head = new RequestHead();
  private @Nullable ByteBuf rest;
  private long bodyBytesLeft;
  private boolean isPaused;
  private boolean isEnded;

  HttpSession(ByteBufAllocator allocator, Responses responses, Sink sink) {
    this.allocator = allocator;
    this.responses = responses;
    this.sink = sink;
  }

  /**
   * Returns whether the last response was written, because the client requested that or sent an
   * invalid request.
   */
  boolean isEnded() {
    return isEnded;
  }

  /** Takes ownership of input, and responds to all complete requests. */
  void received(ByteBuf input) {
    ByteBuf waiting = rest;
    rest = null;
    answer(waiting == null ? input : joined(waiting, input));
  }

  /**
   * Writes more responses when the sink is writable again.
   *
   * @return false if no requests had to wait for the sink
   */
  boolean resume() {
    ByteBuf waiting = rest;
    if (!isPaused || waiting == null) {
      return false;
    }
    rest = null;
    answer(waiting);
    return true;
  }

  /** Drops all requests without a response. */
  void close() {
    isEnded = true;
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }

  private static ByteBuf joined(ByteBuf first, ByteBuf second) {
    try {
      return first.writeBytes(second);
    } catch (Throwable failure) {
      first.release();
      throw failure;
    } finally {
      second.release();
    }
  }

  /** Writes one buffer after another, until all requests have responses or the sink is full. */
  private void answer(ByteBuf input) {
    responses.tick(System.currentTimeMillis());
    try {
      boolean isFull = true;
      while (isFull && sink.isWritable() && input.isReadable()) {
        isFull = answerOneBuffer(input);
      }
    } catch (Throwable failure) {
      input.release();
      throw failure;
    }
    isPaused = !sink.isWritable();
    rest = remainderOf(input);
  }

  /** Fills one buffer with responses. Returns whether the buffer became full. */
  private boolean answerOneBuffer(ByteBuf input) {
    int most = Math.min(MAX_OUTPUT_BYTES, OUTPUT_FOR_INPUT * input.readableBytes());
    ByteBuf output = allocator.ioBuffer(Math.max(Responses.MAX_BYTES, most));
    boolean isFull = fill(output, input);
    if (output.isReadable()) {
      sink.write(Buffers.fitted(output, allocator));
    } else {
      output.release();
    }
    return isFull;
  }

  private boolean fill(ByteBuf output, ByteBuf input) {
    while (answerNext(input, output)) {
      if (output.writableBytes() < Responses.MAX_BYTES) {
        return true;
      }
    }
    return false;
  }

  /** Writes the next response. Returns false if there is no complete request. */
  private boolean answerNext(ByteBuf input, ByteBuf output) {
    skipBody(input);
    if (isEnded || !input.isReadable()) {
      return false;
    }
    switch (head.read(input)) {
      case COMPLETE -> answerHead(output);
      case BAD -> end(responses.badRequest, output);
      case TOO_LARGE -> end(responses.headTooLarge, output);
      case INCOMPLETE -> {
        return false;
      }
    }
    return true;
  }

  private void answerHead(ByteBuf output) {
    if (head.hasTransferEncoding()) {
      end(responses.notImplemented, output);
      return;
    }
    bodyBytesLeft = head.contentLength();
    if (head.isLast()) {
      end(head.isPlaintext() ? responses.lastPlaintext : responses.lastNotFound, output);
    } else {
      (head.isPlaintext() ? responses.plaintext : responses.notFound).writeTo(output);
    }
  }

  private void end(Response last, ByteBuf output) {
    last.writeTo(output);
    isEnded = true;
  }

  private void skipBody(ByteBuf input) {
    if (bodyBytesLeft > 0) {
      int skipped = (int) Math.min(bodyBytesLeft, input.readableBytes());
      input.skipBytes(skipped);
      bodyBytesLeft -= skipped;
    }
  }

  /**
   * Returns the remaining input, or null if nothing remains. A small remainder is copied, so that
   * it does not keep a large buffer.
   */
  private @Nullable ByteBuf remainderOf(ByteBuf input) {
    if (isEnded || !input.isReadable()) {
      input.release();
      return null;
    }
    return Buffers.fitted(input, allocator);
  }
}
