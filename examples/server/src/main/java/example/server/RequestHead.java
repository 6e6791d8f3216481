/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;

/**
 * What the server wants to know of the head of a request (RFC 9112). It is read where it lies in
 * the buffer, without a copy and without an object. A head of which a part is missing is read again
 * from its start when more has come: it has at most 8 KiB.
 */
final class RequestHead {
  /** What came of reading. */
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

  /** Whether it is a GET or POST of {@code /plaintext}. */
  boolean isPlaintext() {
    return isPlaintext;
  }

  /** Whether the client wants no answer after this one. */
  boolean isLast() {
    return isLast;
  }

  /** Whether the body's length is not told beforehand. */
  boolean hasTransferEncoding() {
    return hasTransferEncoding;
  }

  /** Bytes of the body. */
  long contentLength() {
    return Math.max(0, contentLength);
  }

  /** Reads a head at the reader index, which is moved behind it if all of it is there. */
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

  /** What is no HTTP at all should be told so at once, even if no line ever ends. */
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

  /** Method, blank, target, blank, version. */
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

  /** Name, colon, value with blanks around it. Names that do not matter are skipped. */
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

  /** Two lengths that differ would make two requests of what another server takes for one. */
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
