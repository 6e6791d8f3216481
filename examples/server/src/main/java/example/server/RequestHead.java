/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;

/**
 * The parts of a request head that the server needs (RFC 9112). It is parsed in the buffer, without
 * a copy and without allocating objects. If a part of the head is missing, parsing starts again
 * when more input has arrived; a head has up to 8 KiB.
 */
final class RequestHead {
  /** The result of parsing. */
  enum Result {
    COMPLETE,
    INCOMPLETE,
    BAD,
    TOO_LARGE
  }

  static final int MAX_BYTES = 8 << 10;

  private static final byte LINE_FEED = '\n';
  private static final byte CARRIAGE_RETURN = '\r';
  private static final long HTTP_1_0 = 0x4854_5450_2f31_2e30L;
  private static final long HTTP_1_1 = 0x4854_5450_2f31_2e31L;
  private static final int GET = 0x47_4554;
  private static final int POST = 0x504f_5354;
  private static final long PLAINTEXT_START = 0x2f70_6c61_696e_7465L;
  private static final short PLAINTEXT_END = 0x7874;
  private static final int PLAINTEXT_BYTES = Long.BYTES + Short.BYTES;

  private boolean isPlaintext;
  private boolean isLast;
  private boolean isHostNeeded;
  private boolean hasHost;
  private boolean hasTransferEncoding;
  private long contentLength;

  /** Returns whether the request is a GET or POST of {@code /plaintext}. */
  boolean isPlaintext() {
    return isPlaintext;
  }

  /** Returns whether the response to this request is the last one, by the client's request. */
  boolean isLast() {
    return isLast;
  }

  /** Returns whether the head does not state the length of the body. */
  boolean hasTransferEncoding() {
    return hasTransferEncoding;
  }

  /** Returns the number of bytes of the body. */
  long contentLength() {
    return Math.max(0, contentLength);
  }

  /**
   * Parses a head at the reader index, and moves the index behind the head if the head is complete.
   */
  Result read(ByteBuf input) {
    isLast = false;
    hasHost = false;
    hasTransferEncoding = false;
    contentLength = -1;
    int start = input.readerIndex();
    int limit = Math.min(input.writerIndex(), start + MAX_BYTES);
    for (int line = start; ; ) {
      int lineFeed = input.indexOf(line, limit, LINE_FEED);
      if (lineFeed < 0) {
        return incomplete(input, start, limit);
      }
      int end = lineFeed - 1;
      if (end < line || input.getByte(end) != CARRIAGE_RETURN) {
        return Result.BAD;
      }
      if (end == line && line > start) {
        return complete(input, lineFeed + 1);
      }
      if (!(line == start ? requestLine(input, line, end) : field(input, line, end))) {
        return Result.BAD;
      }
      line = lineFeed + 1;
    }
  }

  /** Rejects input that cannot be HTTP without waiting for the end of the line. */
  private static Result incomplete(ByteBuf input, int start, int limit) {
    if (start < limit && !Ascii.isToken(input.getByte(start))) {
      return Result.BAD;
    }
    return limit - start < MAX_BYTES ? Result.INCOMPLETE : Result.TOO_LARGE;
  }

  private Result complete(ByteBuf input, int end) {
    if (isHostNeeded && !hasHost) {
      return Result.BAD;
    }
    input.readerIndex(end);
    return Result.COMPLETE;
  }

  /** Parses a method, a blank, a target, a blank and a version. */
  private boolean requestLine(ByteBuf input, int start, int end) {
    int version = end - Long.BYTES;
    int targetEnd = version - 1;
    if (targetEnd <= start || input.getByte(targetEnd) != ' ' || !version(input.getLong(version))) {
      return false;
    }
    int methodEnd = input.indexOf(start, targetEnd, (byte) ' ');
    int target = methodEnd + 1;
    isPlaintext = isPlaintext(input, target, targetEnd) && isGetOrPost(input, start, methodEnd);
    return isPlaintext
        || (Ascii.isToken(input, start, methodEnd) && Ascii.isVisible(input, target, targetEnd));
  }

  private boolean version(long version) {
    isHostNeeded = version == HTTP_1_1;
    isLast = version == HTTP_1_0;
    return isHostNeeded || isLast;
  }

  private static boolean isPlaintext(ByteBuf input, int start, int end) {
    return end - start == PLAINTEXT_BYTES
        && input.getLong(start) == PLAINTEXT_START
        && input.getShort(start + Long.BYTES) == PLAINTEXT_END;
  }

  private static boolean isGetOrPost(ByteBuf input, int start, int end) {
    return switch (end - start) {
      case 3 -> input.getUnsignedMedium(start) == GET;
      case 4 -> input.getInt(start) == POST;
      default -> false;
    };
  }

  /**
   * Parses a name, a colon, and a value with optional blanks around it. Unknown names are skipped.
   */
  private boolean field(ByteBuf input, int start, int end) {
    int colon = input.indexOf(start, end, (byte) ':');
    if (colon < 0 || !Ascii.isToken(input, start, colon) || !Ascii.isText(input, colon, end)) {
      return false;
    }
    int value = Ascii.skipBlanks(input, colon + 1, end);
    int valueEnd = Ascii.trimBlanks(input, value, end);
    return switch (colon - start) {
      case 4 -> !Ascii.matches(input, start, "host") || host();
      case 10 -> !Ascii.matches(input, start, "connection") || connection(input, value, valueEnd);
      case 14 -> !Ascii.matches(input, start, "content-length") || length(input, value, valueEnd);
      case 17 -> !Ascii.matches(input, start, "transfer-encoding") || transferEncoding();
      default -> true;
    };
  }

  private boolean host() {
    boolean isFirst = !hasHost;
    hasHost = true;
    return isFirst;
  }

  private boolean connection(ByteBuf input, int start, int end) {
    isLast |= Ascii.listHas(input, start, end, "close");
    return true;
  }

  /**
   * Parses the length of the body. Two different lengths are invalid, because another server could
   * see one request in the bytes of two (request smuggling).
   */
  private boolean length(ByteBuf input, int start, int end) {
    long length = Ascii.number(input, start, end);
    boolean isValid = length >= 0 && (contentLength < 0 || contentLength == length);
    contentLength = length;
    return isValid;
  }

  private boolean transferEncoding() {
    hasTransferEncoding = true;
    return true;
  }
}
