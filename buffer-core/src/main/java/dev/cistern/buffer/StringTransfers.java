/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.memory.MemoryAccess.BYTE_ARRAY_OFFSET;

import dev.cistern.memory.StringContents;
import dev.cistern.memory.Utf8;
import dev.cistern.util.AsciiString;
import dev.cistern.util.internal.VirtualThreads;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of characters to buffers, and of bytes to strings, without an intermediate copy if the
 * string and the buffer allow that.
 */
final class StringTransfers {
  /** The maximum length of an array that a thread keeps; a longer text gets a new array. */
  private static final int MAX_SCRATCH_BYTES = 16 * 1024;

  private static final int MIN_SCRATCH_BYTES = 1024;

  /** The array of a thread. It is not in use while user code runs, which can also need it. */
  private static final ThreadLocal<byte[]> SCRATCH =
      ThreadLocal.withInitial(() -> new byte[MIN_SCRATCH_BYTES]);

  private StringTransfers() {}

  /**
   * Returns the thread's array, with at least {@code length} bytes. A virtual thread gets a new
   * array.
   */
  private static byte[] scratch(int length) {
    if (length > MAX_SCRATCH_BYTES || VirtualThreads.isVirtual(Thread.currentThread())) {
      return new byte[length];
    }
    byte[] bytes = SCRATCH.get();
    if (length > bytes.length) {
      bytes = new byte[Math.max(length, Math.min(2 * bytes.length, MAX_SCRATCH_BYTES))];
      SCRATCH.set(bytes);
    }
    return bytes;
  }

  /** Returns the decoded text of a range of a buffer; the caller has checked the range. */
  static String decode(AbstractByteBuf buffer, int index, int length, Charset charset) {
    MemoryByteBuf memory = buffer.memory();
    byte[] base = memory == null ? null : memory.base;
    if (memory != null && base != null) {
      long address = memory.address + buffer.memoryOffset() + index;
      return new String(base, (int) (address - BYTE_ARRAY_OFFSET), length, charset);
    }
    boolean runsNoUserCode = memory != null && charset.equals(StandardCharsets.UTF_8);
    byte[] bytes = runsNoUserCode ? scratch(length) : new byte[length];
    buffer.copyOut(index, bytes, BYTE_ARRAY_OFFSET, length);
    // A charset of user code can also be equal to UTF-8, and its decoder is user code.
    return new String(bytes, 0, length, runsNoUserCode ? StandardCharsets.UTF_8 : charset);
  }

  /** Writes each character as one byte; a character above 255 becomes {@code '?'}. */
  static int writeLatin1(AbstractByteBuf buffer, CharSequence text) {
    if (text instanceof AsciiString ascii) {
      return write(buffer, ascii.array(), ascii.arrayOffset(), ascii.length());
    }
    byte[] contents = latin1(text);
    if (contents != null) {
      return write(buffer, forBuffer(buffer, contents), 0, contents.length);
    }
    int index = buffer.room(text.length());
    byte[] copy = new AsciiString(text).array();
    buffer.setBytes(index, copy); // the text may have changed the buffer
    buffer.writerIndex(index + copy.length);
    return copy.length;
  }

  /** Writes a range of an array that needs no check, as the buffer's method does. */
  private static int write(AbstractByteBuf buffer, byte[] bytes, int from, int length) {
    int index = buffer.makeRoom(length);
    buffer.copyIn(index, bytes, BYTE_ARRAY_OFFSET + from, length);
    buffer.writerIndex += length;
    return length;
  }

  /**
   * Returns the array of a string, or a copy if the buffer can have user code, which could change
   * the string or keep the array.
   */
  private static byte[] forBuffer(AbstractByteBuf buffer, byte[] contents) {
    return buffer.memory() == null ? contents.clone() : contents;
  }

  /** Returns the contents of a string whose characters all have one byte, or null. */
  private static byte @Nullable [] latin1(CharSequence text) {
    return text instanceof String string && StringContents.isLatin1(string)
        ? StringContents.array(string)
        : null;
  }

  /**
   * Returns the contents of a string; null for another kind of text, or if the contents cannot be
   * read.
   */
  private static byte @Nullable [] inside(CharSequence text) {
    return text instanceof String string ? StringContents.array(string) : null;
  }

  /** Writes part of a text in UTF-8, after the buffer has made room for {@code reserve} bytes. */
  static int writeUtf8(AbstractByteBuf buffer, CharSequence text, int from, int to, int reserve) {
    if (text instanceof AsciiString ascii) {
      if (reserve != to - from) {
        buffer.room(reserve);
      }
      return write(buffer, ascii.array(), ascii.arrayOffset() + from, to - from);
    }
    buffer.room(reserve);
    MemoryByteBuf memory = buffer.memory();
    byte[] inside = inside(text);
    if (memory == null || inside == null) {
      byte[] bytes = utf8(text, from, to);
      return write(buffer, bytes, 0, bytes.length);
    }
    boolean isLatin1 = StringContents.isLatin1((String) text);
    long most =
        (long) (to - from) * (isLatin1 ? Utf8.MAX_BYTES_PER_LATIN1_CHAR : Utf8.MAX_BYTES_PER_CHAR);
    int index = buffer.writerIndex;
    if (most > buffer.writableCapacity() - index) {
      index = buffer.room(utf8Length(text, from, to));
    }
    long address = memory.address + buffer.memoryOffset() + index;
    int written = encode(inside, isLatin1, from, to, memory.base, address);
    buffer.writerIndex(index + written);
    return written;
  }

  /** Encodes part of a string's contents in UTF-8; the caller ensures that there is room. */
  private static int encode(
      byte[] inside, boolean isLatin1, int from, int to, byte @Nullable [] base, long address) {
    return isLatin1
        ? Utf8.encodeLatin1(inside, from, to, base, address)
        : Utf8.encodeUtf16(inside, from, to, base, address);
  }

  /**
   * Checks the length of a text, which user code can return: a string of this length must be
   * possible in UTF-8.
   */
  private static int checkLength(int chars) {
    if (chars < 0 || chars > Integer.MAX_VALUE / Utf8.MAX_BYTES_PER_CHAR) {
      throw new IllegalArgumentException(
          "text length: %s (expected: 0 to %s unless the text is a String)"
              .formatted(chars, Integer.MAX_VALUE / Utf8.MAX_BYTES_PER_CHAR));
    }
    return chars;
  }

  /** Returns part of any text in UTF-8. The text may change meanwhile. */
  private static byte[] utf8(CharSequence text, int from, int to) {
    byte[] inside = inside(text);
    if (inside != null) {
      byte[] bytes = new byte[utf8Length(text, from, to)];
      encode(inside, StringContents.isLatin1((String) text), from, to, bytes, BYTE_ARRAY_OFFSET);
      return bytes;
    }
    if (text instanceof String string) {
      return string.substring(from, to).getBytes(StandardCharsets.UTF_8);
    }
    char[] chars = new char[checkLength(to - from)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = text.charAt(from + i);
    }
    return new String(chars).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the number of bytes of part of a text in UTF-8. */
  static int utf8Length(CharSequence text, int from, int to) {
    if (text instanceof AsciiString) {
      return to - from;
    }
    byte[] contents = latin1(text);
    if (contents != null) {
      return Utf8.lengthOfLatin1(contents, from, to);
    }
    checkLength(text instanceof String ? 0 : to - from);
    return Utf8.length(text, from, to);
  }

  /** Writes a text in any charset; makes room for exactly its bytes. */
  static int write(AbstractByteBuf buffer, CharSequence text, Charset charset) {
    if (charset.equals(StandardCharsets.UTF_8) && !(text instanceof AsciiString)) {
      return writeUtf8(buffer, text, 0, text.length(), 0);
    }
    byte[] contents = sameBytes(text, charset);
    if (contents != null) {
      return write(buffer, forBuffer(buffer, contents), 0, contents.length);
    }
    byte[] bytes = text.toString().getBytes(charset);
    buffer.writeBytes(bytes);
    return bytes.length;
  }

  /** Sets a text in any charset; fails if it has more bytes than there are from the index on. */
  static int set(AbstractByteBuf buffer, int index, CharSequence text, Charset charset) {
    byte[] contents = sameBytes(text, charset);
    if (contents == null) {
      String string = text.toString();
      boolean isUtf8 = charset.equals(StandardCharsets.UTF_8);
      MemoryByteBuf memory = buffer.memory();
      byte[] inside = inside(string);
      if (isUtf8 && memory != null && inside != null) {
        buffer.checkWrite(index, utf8Length(string, 0, string.length()));
        boolean isLatin1 = StringContents.isLatin1(string);
        long address = memory.address + buffer.memoryOffset() + index;
        return encode(inside, isLatin1, 0, string.length(), memory.base, address);
      }
      byte[] bytes = isUtf8 ? utf8(string, 0, string.length()) : string.getBytes(charset);
      buffer.setBytes(index, bytes);
      return bytes.length;
    }
    buffer.checkWrite(index, contents.length);
    buffer.copyIn(index, forBuffer(buffer, contents), BYTE_ARRAY_OFFSET, contents.length);
    return contents.length;
  }

  /** Returns the contents of a string if they are also its bytes in the charset, otherwise null. */
  private static byte @Nullable [] sameBytes(CharSequence text, Charset charset) {
    byte[] contents = charset.equals(StandardCharsets.UTF_8) ? null : latin1(text);
    if (contents == null || charset.equals(StandardCharsets.ISO_8859_1)) {
      return contents;
    }
    boolean isAscii = Utf8.lengthOfLatin1(contents, 0, contents.length) == contents.length;
    return isAscii && charset.equals(StandardCharsets.US_ASCII) ? contents : null;
  }
}
