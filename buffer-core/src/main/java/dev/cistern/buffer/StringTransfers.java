/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.memory.MemoryAccess.BYTE_ARRAY_OFFSET;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.StringContents;
import dev.cistern.memory.Utf8;
import dev.cistern.util.AsciiString;
import dev.cistern.util.concurrent.FastThreadLocal;
import dev.cistern.util.internal.VirtualThreads;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of characters to buffers, and of bytes to strings, without an intermediate copy if the
 * string and the buffer allow that.
 */
final class StringTransfers {
  /** A thread keeps no more than this: longer texts have an array of their own. */
  private static final int MOST_SCRATCH_BYTES = 16 * 1024;

  private static final int LEAST_SCRATCH_BYTES = 1024;
  private static final FastThreadLocal<Scratch> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch();
        }
      };

  /** For virtual threads, which keep no array. Never changes: as if its array were in use. */
  private static final Scratch KEEPS_NOTHING = new Scratch();

  static {
    KEEPS_NOTHING.inUse = true;
  }

  private StringTransfers() {}

  private static Scratch scratch() {
    return VirtualThreads.isVirtual(Thread.currentThread()) ? KEEPS_NOTHING : SCRATCH.get();
  }

  /**
   * An array that a thread uses again. It may be asked for while it is in use, by a {@code
   * CharSequence} or a charset of the user's that works with buffers itself.
   */
  private static final class Scratch {
    private byte[] bytes = new byte[LEAST_SCRATCH_BYTES];
    private boolean inUse;

    byte[] take(int length) {
      if (inUse || length > MOST_SCRATCH_BYTES) {
        return new byte[length];
      }
      if (length > bytes.length) {
        bytes = new byte[Math.max(length, Math.min(2 * bytes.length, MOST_SCRATCH_BYTES))];
      }
      inUse = true; // not where there is no memory
      return bytes;
    }

    /** As {@link #take}, for who runs nothing of the user's before the bytes are of no more use. */
    byte[] forNow(int length) {
      if (inUse || length > bytes.length) {
        byte[] array = take(length);
        giveBack(array);
        return array;
      }
      return bytes;
    }

    void giveBack(byte[] array) {
      if (array == bytes) {
        inUse = false;
      }
    }
  }

  /** What a range of a buffer says; the caller has checked the range. */
  static String decode(AbstractByteBuf buffer, int index, int length, Charset charset) {
    MemoryByteBuf memory = buffer.memory();
    byte[] base = memory == null ? null : memory.base;
    if (memory != null && base != null) {
      long address = memory.address + buffer.memoryOffset() + index;
      return new String(base, (int) (address - BYTE_ARRAY_OFFSET), length, charset);
    }
    Scratch scratch = scratch();
    if (memory != null && charset.equals(StandardCharsets.UTF_8)) {
      byte[] bytes = scratch.forNow(length);
      buffer.copyOut(index, bytes, BYTE_ARRAY_OFFSET, length);
      return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
    byte[] bytes = scratch.take(length);
    try {
      buffer.copyOut(index, bytes, BYTE_ARRAY_OFFSET, length);
      return new String(bytes, 0, length, charset);
    } finally {
      scratch.giveBack(bytes);
    }
  }

  /** Writes each character as one byte, {@code '?'} for those above 255. */
  static int writeLatin1(AbstractByteBuf buffer, CharSequence text) {
    if (text instanceof AsciiString ascii) {
      return write(buffer, ascii.array(), ascii.arrayOffset(), ascii.length());
    }
    byte[] contents = latin1(text);
    if (contents != null) {
      return write(buffer, contents, 0, contents.length);
    }
    int index = buffer.room(text.length());
    byte[] copy = new AsciiString(text).array();
    buffer.setBytes(index, copy); // the text may have changed the buffer
    buffer.writerIndex(index + copy.length);
    return copy.length;
  }

  /** As the buffer's own, of an array whose range needs no check. */
  private static int write(AbstractByteBuf buffer, byte[] bytes, int from, int length) {
    int index = buffer.makeRoom(length);
    buffer.copyIn(index, bytes, BYTE_ARRAY_OFFSET + from, length);
    buffer.writerIndex += length;
    return length;
  }

  /** Returns the contents of a string whose characters all have one byte, or null. */
  private static byte @Nullable [] latin1(CharSequence text) {
    return text instanceof String string && StringContents.isLatin1(string)
        ? StringContents.array(string)
        : null;
  }

  /** Writes part of a text in UTF-8, with room for {@code reserve} bytes made beforehand. */
  static int writeUtf8(AbstractByteBuf buffer, CharSequence text, int from, int to, int reserve) {
    if (text instanceof AsciiString ascii) {
      if (reserve != to - from) {
        buffer.room(reserve);
      }
      return write(buffer, ascii.array(), ascii.arrayOffset() + from, to - from);
    }
    buffer.room(reserve);
    return utf8(buffer, text, from, to);
  }

  /** Writes text in UTF-8, or only counts its bytes if there is no buffer. */
  private static int utf8(@Nullable AbstractByteBuf buffer, CharSequence text, int from, int to) {
    byte[] inside = text instanceof String string ? StringContents.array(string) : null;
    if (inside != null) {
      return utf8(buffer, inside, StringContents.isLatin1((String) text), from, to);
    }
    Scratch scratch = scratch();
    byte[] contents = scratch.take(contentBytes(to - from));
    try {
      copyChars(text, from, to, contents);
      return utf8(buffer, contents, false, 0, to - from);
    } finally {
      scratch.giveBack(contents);
    }
  }

  /** Returns the bytes of so many characters in UTF-16; a text can claim any length. */
  private static int contentBytes(int chars) {
    if (chars < 0 || chars > Integer.MAX_VALUE / Character.BYTES) {
      throw new IllegalArgumentException(
          "text length: %s (expected: 0 to %s unless the text is a String)"
              .formatted(chars, Integer.MAX_VALUE / Character.BYTES));
    }
    return chars * Character.BYTES;
  }

  /** So that a text that changes meanwhile is of one length in all that follows. */
  private static void copyChars(CharSequence text, int from, int to, byte[] contents) {
    for (int i = from; i < to; i++) {
      long address = BYTE_ARRAY_OFFSET + ((long) (i - from) << 1);
      MemoryAccess.putShort(contents, address, (short) text.charAt(i));
    }
  }

  private static int utf8(
      @Nullable AbstractByteBuf buffer, byte[] contents, boolean isLatin1, int from, int to) {
    if (buffer == null) {
      return utf8Length(contents, isLatin1, from, to);
    }
    long most = (long) (to - from) * (isLatin1 ? Utf8.MOST_FOR_LATIN1 : Utf8.MOST_FOR_CHAR);
    int index = buffer.writerIndex;
    if (most > buffer.writableCapacity() - index) {
      index = buffer.room(utf8Length(contents, isLatin1, from, to));
    }
    int written = setUtf8(buffer, index, contents, isLatin1, from, to);
    buffer.writerIndex(index + written);
    return written;
  }

  private static int utf8Length(byte[] contents, boolean isLatin1, int from, int to) {
    return isLatin1
        ? Utf8.lengthOfLatin1(contents, from, to)
        : Utf8.lengthOfUtf16(contents, from, to);
  }

  /** Sets text in UTF-8 at an index; the caller ensures that there is room. */
  private static int setUtf8(
      AbstractByteBuf buffer, int index, byte[] contents, boolean isLatin1, int from, int to) {
    MemoryByteBuf memory = buffer.memory();
    if (memory != null) {
      long address = memory.address + buffer.memoryOffset() + index;
      return encode(contents, isLatin1, from, to, memory.base, address);
    }
    Scratch scratch = scratch();
    byte[] bytes = scratch.take(utf8Length(contents, isLatin1, from, to));
    try {
      int length = encode(contents, isLatin1, from, to, bytes, BYTE_ARRAY_OFFSET);
      buffer.copyIn(index, bytes, BYTE_ARRAY_OFFSET, length);
      return length;
    } finally {
      scratch.giveBack(bytes);
    }
  }

  private static int encode(
      byte[] contents, boolean isLatin1, int from, int to, byte @Nullable [] base, long address) {
    return isLatin1
        ? Utf8.encodeLatin1(contents, from, to, base, address)
        : Utf8.encodeUtf16(contents, from, to, base, address);
  }

  /** Returns the number of bytes of part of a text in UTF-8. */
  static int utf8Length(CharSequence text, int from, int to) {
    return text instanceof AsciiString ? to - from : utf8(null, text, from, to);
  }

  /** Writes a text in any charset; the room is made for the bytes that it has. */
  static int write(AbstractByteBuf buffer, CharSequence text, Charset charset) {
    byte[] contents = sameBytes(text, charset);
    if (contents != null) {
      // Not by way of what a subclass may override: the array is a string's own.
      return write(buffer, contents, 0, contents.length);
    } else if (charset.equals(StandardCharsets.UTF_8) && !(text instanceof AsciiString)) {
      return writeUtf8(buffer, text, 0, text.length(), 0);
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
      byte[] inside = StringContents.array(string);
      if (inside != null && charset.equals(StandardCharsets.UTF_8)) {
        boolean isLatin1 = StringContents.isLatin1(string);
        buffer.checkWrite(index, utf8Length(inside, isLatin1, 0, string.length()));
        return setUtf8(buffer, index, inside, isLatin1, 0, string.length());
      }
      contents = string.getBytes(charset);
    }
    buffer.checkWrite(index, contents.length);
    buffer.copyIn(index, contents, BYTE_ARRAY_OFFSET, contents.length);
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
