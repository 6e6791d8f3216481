/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.buffer.search.AbstractSearchProcessorFactory;
import dev.cistern.memory.Utf8;
import dev.cistern.util.AsciiString;
import dev.cistern.util.CharsetUtil;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.internal.Settings;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Operations on any buffer: comparisons, searches, and text and hexadecimal dumps of its bytes. The
 * order of the bytes does not depend on a buffer's byte order.
 */
public final class ByteBufUtil {
  private static final int EMPTY_HASH = 1;
  private static final int HASH_FACTOR = 31;

  /** Number of characters that {@link #isText} decodes at a time. */
  private static final int DECODED_CHARS = 512;

  /** Value of {@code -Dcistern.threadLocalDirectBufferSize}, in bytes. */
  private static final int THREAD_LOCAL_BUFFER_BYTES =
      Settings.number("threadLocalDirectBufferSize", 0, 0, Integer.MAX_VALUE);

  private static final int HEX_BYTES_PER_ROW = 16;
  private static final String HEX_RULE =
      "+--------+-------------------------------------------------+----------------+";
  private static final String HEX_HEAD =
      """
               +-------------------------------------------------+
               |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |
      """;

  private ByteBufUtil() {}

  /** Returns whether the buffer is live. */
  public static boolean isAccessible(ByteBuf buffer) {
    return buffer.refCnt() > 0;
  }

  /**
   * Returns the buffer itself.
   *
   * @throws IllegalReferenceCountException if it is released
   */
  public static ByteBuf ensureAccessible(ByteBuf buffer) {
    if (!isAccessible(buffer)) {
      throw new IllegalReferenceCountException(buffer.refCnt());
    }
    return buffer;
  }

  /**
   * Returns whether a result of {@link ByteBuf#ensureWritable(int, boolean)} means that the bytes
   * can be written.
   */
  public static boolean ensureWritableSuccess(int ensureWritableResult) {
    return ensureWritableResult == 0 || ensureWritableResult == 2;
  }

  // Hexadecimal

  /** Returns the readable bytes as hexadecimal text, two lower-case digits for each byte. */
  public static String hexDump(ByteBuf buffer) {
    return hexDump(buffer, buffer.readerIndex(), buffer.readableBytes());
  }

  /** Returns some bytes as hexadecimal text, two lower-case digits for each byte. */
  public static String hexDump(ByteBuf buffer, int fromIndex, int length) {
    return checkLength(length) == 0 ? "" : hexDump(getBytes(buffer, fromIndex, length));
  }

  /** Returns all bytes as hexadecimal text, two lower-case digits for each byte. */
  public static String hexDump(byte[] array) {
    return hexDump(array, 0, array.length);
  }

  /** Returns some bytes as hexadecimal text, two lower-case digits for each byte. */
  public static String hexDump(byte[] array, int fromIndex, int length) {
    if (checkLength(length) == 0) {
      return "";
    }
    return HexFormat.of().formatHex(array, fromIndex, fromIndex + length);
  }

  private static int checkLength(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length: " + length + " (expected: >= 0)");
    }
    return length;
  }

  /**
   * Returns the byte that two hexadecimal digits of either case represent.
   *
   * @throws IllegalArgumentException if the characters are not hexadecimal digits
   */
  public static byte decodeHexByte(CharSequence s, int pos) {
    char high = s.charAt(pos);
    char low = s.charAt(pos + 1);
    if (!HexFormat.isHexDigit(high) || !HexFormat.isHexDigit(low)) {
      throw new IllegalArgumentException(
          "not a byte in hexadecimal: \"" + high + low + "\" at index " + pos);
    }
    return (byte) (HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low));
  }

  /** Returns the bytes that a text of hexadecimal digits represents. */
  public static byte[] decodeHexDump(CharSequence hexDump) {
    return decodeHexDump(hexDump, 0, hexDump.length());
  }

  /**
   * Returns the bytes that a range of hexadecimal digits represents.
   *
   * @throws IllegalArgumentException if there are other characters, or an odd number of digits
   */
  public static byte[] decodeHexDump(CharSequence hexDump, int fromIndex, int length) {
    if (length < 0 || (length & 1) != 0) {
      throw new IllegalArgumentException("length: " + length + " (expected: even, >= 0)");
    }
    byte[] bytes = new byte[length >>> 1];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = decodeHexByte(hexDump, fromIndex + 2 * i);
    }
    return bytes;
  }

  /**
   * Returns a table of the readable bytes in hexadecimal and as text, with sixteen bytes in a row.
   */
  public static String prettyHexDump(ByteBuf buffer) {
    return prettyHexDump(buffer, buffer.readerIndex(), buffer.readableBytes());
  }

  /**
   * Returns a table of a range of bytes, as {@link #prettyHexDump(ByteBuf)} does; empty for no
   * bytes.
   */
  public static String prettyHexDump(ByteBuf buffer, int offset, int length) {
    if (length == 0) {
      return "";
    }
    StringBuilder table = new StringBuilder();
    appendPrettyHexDump(table, buffer, offset, length);
    return table.toString();
  }

  /** Appends the table of {@link #prettyHexDump(ByteBuf)}. */
  public static void appendPrettyHexDump(StringBuilder dump, ByteBuf buf) {
    appendPrettyHexDump(dump, buf, buf.readerIndex(), buf.readableBytes());
  }

  /** Appends the table of {@link #prettyHexDump(ByteBuf, int, int)}. */
  public static void appendPrettyHexDump(StringBuilder dump, ByteBuf buf, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, ensureAccessible(buf).capacity());
    if (length == 0) {
      return;
    }
    dump.append(HEX_HEAD.replace("\n", System.lineSeparator())).append(HEX_RULE);
    for (int row = 0; row < length; row += HEX_BYTES_PER_ROW) {
      byte[] bytes = getBytes(buf, offset + row, Math.min(HEX_BYTES_PER_ROW, length - row));
      String hex = HexFormat.ofDelimiter(" ").formatHex(bytes);
      String text = new String(bytes, CharsetUtil.ISO_8859_1).replaceAll("[^ -~]", ".");
      dump.append("%n|%08x| %-47s |%-16s|".formatted(row, hex, text));
    }
    dump.append(System.lineSeparator()).append(HEX_RULE);
  }

  // Comparing and searching

  /** Returns a hash of the readable bytes, which does not depend on the kind of buffer. */
  public static int hashCode(ByteBuf buffer) {
    int index = buffer.readerIndex();
    int end = buffer.writerIndex();
    int hash = EMPTY_HASH;
    for (; index <= end - Integer.BYTES; index += Integer.BYTES) {
      hash = HASH_FACTOR * hash + Integer.reverseBytes(buffer.getIntLE(index));
    }
    for (; index < end; index++) {
      hash = HASH_FACTOR * hash + buffer.getByte(index);
    }
    return hash == 0 ? EMPTY_HASH : hash;
  }

  /**
   * Returns whether two buffers have the same readable bytes. A buffer equals itself, even after
   * its release.
   */
  @SuppressWarnings("ReferenceEquality") // the bytes of a released buffer cannot be read
  public static boolean equals(ByteBuf a, ByteBuf b) {
    if (a == b) {
      return true;
    }
    int length = a.readableBytes();
    return length == b.readableBytes() && equals(a, a.readerIndex(), b, b.readerIndex(), length);
  }

  /**
   * Returns whether {@code length} bytes of {@code a} and of {@code b} are the same; false if a
   * buffer has fewer bytes before its writer index.
   *
   * @throws IllegalArgumentException if an index or the length is negative
   */
  public static boolean equals(ByteBuf a, int aStartIndex, ByteBuf b, int bStartIndex, int length) {
    Objects.requireNonNull(a, "a");
    Objects.requireNonNull(b, "b");
    if ((aStartIndex | bStartIndex | length) < 0) {
      throw new IllegalArgumentException(
          "aStartIndex: %s, bStartIndex: %s, length: %s (expected: >= 0)"
              .formatted(aStartIndex, bStartIndex, length));
    }
    if (a.writerIndex() - length < aStartIndex || b.writerIndex() - length < bStartIndex) {
      return false;
    }
    return mismatch(a, aStartIndex, b, bStartIndex, length) == length;
  }

  /** Returns the number of bytes up to the first that differs, or {@code length} if none does. */
  private static int mismatch(ByteBuf a, int aIndex, ByteBuf b, int bIndex, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long difference = a.getLongLE(aIndex + i) ^ b.getLongLE(bIndex + i);
      if (difference != 0) {
        return i + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
      }
    }
    while (i < length && a.getByte(aIndex + i) == b.getByte(bIndex + i)) {
      i++;
    }
    return i;
  }

  /**
   * Compares the readable bytes, unsigned; a buffer that starts with all bytes of the other is the
   * larger one. Returns 0 for a buffer and itself, even after its release.
   */
  @SuppressWarnings("ReferenceEquality") // the bytes of a released buffer cannot be read
  public static int compare(ByteBuf a, ByteBuf b) {
    if (a == b) {
      return 0;
    }
    int aIndex = a.readerIndex();
    int bIndex = b.readerIndex();
    int common = Math.min(a.readableBytes(), b.readableBytes());
    int i = mismatch(a, aIndex, b, bIndex, common);
    return i < common
        ? a.getUnsignedByte(aIndex + i) - b.getUnsignedByte(bIndex + i)
        : a.readableBytes() - b.readableBytes();
  }

  /**
   * Returns the first index of {@code value} from {@code fromIndex} up to before {@code toIndex},
   * or, if {@code fromIndex} is the larger, the last one from before it down to {@code toIndex}; -1
   * if there is none.
   */
  public static int indexOf(ByteBuf buffer, int fromIndex, int toIndex, byte value) {
    return buffer.indexOf(fromIndex, toIndex, value);
  }

  /**
   * Returns the index at which the readable bytes of {@code needle} first occur among those of
   * {@code haystack}; 0 for an empty needle, -1 if they do not occur or if an argument is null. The
   * time grows with the sum of both lengths, not with their product.
   */
  public static int indexOf(@Nullable ByteBuf needle, @Nullable ByteBuf haystack) {
    if (needle == null || haystack == null || needle.readableBytes() > haystack.readableBytes()) {
      return -1;
    }
    int length = needle.readableBytes();
    if (length == 0) {
      return 0;
    }
    int last = haystack.writerIndex() - length;
    byte first = needle.getByte(needle.readerIndex());
    int start = haystack.indexOf(haystack.readerIndex(), last + 1, first);
    if (start < 0 || length == 1) {
      return start;
    }
    int end =
        haystack.forEachByte(
            start,
            haystack.writerIndex() - start,
            AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(getBytes(needle))
                .newSearchProcessor());
    return end < 0 ? -1 : end - length + 1;
  }

  // Byte order

  /** Returns the two bytes in reverse order. */
  public static short swapShort(short value) {
    return Short.reverseBytes(value);
  }

  /** Returns the lower three bytes in reverse order, with the sign extended. */
  public static int swapMedium(int value) {
    return Integer.reverseBytes(value << Byte.SIZE) << Byte.SIZE >> Byte.SIZE;
  }

  /** Returns the four bytes in reverse order. */
  public static int swapInt(int value) {
    return Integer.reverseBytes(value);
  }

  /** Returns the eight bytes in reverse order. */
  public static long swapLong(long value) {
    return Long.reverseBytes(value);
  }

  /** Writes 16 bits in big-endian byte order, whatever the buffer's order. */
  public static ByteBuf writeShortBE(ByteBuf buf, int shortValue) {
    return buf.writeShortLE(Short.reverseBytes((short) shortValue));
  }

  /** Sets 16 bits in big-endian byte order, whatever the buffer's order. */
  public static ByteBuf setShortBE(ByteBuf buf, int index, int shortValue) {
    return buf.setShortLE(index, Short.reverseBytes((short) shortValue));
  }

  /** Writes 24 bits in big-endian byte order, whatever the buffer's order. */
  public static ByteBuf writeMediumBE(ByteBuf buf, int mediumValue) {
    return buf.writeMediumLE(swapMedium(mediumValue));
  }

  /** Reads 16 bits in big-endian byte order, whatever the buffer's order. */
  public static int readUnsignedShortBE(ByteBuf buf) {
    return Short.reverseBytes(buf.readShortLE()) & 0xFFFF;
  }

  /** Reads 32 bits in big-endian byte order, whatever the buffer's order. */
  public static int readIntBE(ByteBuf buf) {
    return Integer.reverseBytes(buf.readIntLE());
  }

  // Copies

  /** Reads {@code length} bytes into a new buffer; releases the new buffer if the read fails. */
  public static ByteBuf readBytes(ByteBufAllocator alloc, ByteBuf buffer, int length) {
    return Unpooled.filled(alloc.buffer(length), buffer::readBytes);
  }

  /** Returns a copy of the readable bytes. */
  public static byte[] getBytes(ByteBuf buf) {
    return getBytes(buf, buf.readerIndex(), buf.readableBytes());
  }

  /** Returns a copy of a range of bytes. */
  public static byte[] getBytes(ByteBuf buf, int start, int length) {
    return getBytes(buf, start, length, true);
  }

  /**
   * Returns a range of bytes; if {@code copy} is false, the buffer's array if it holds only these
   * bytes.
   */
  public static byte[] getBytes(ByteBuf buf, int start, int length, boolean copy) {
    Objects.checkFromIndexSize(start, length, ensureAccessible(buf).capacity());
    if (!copy && buf.hasArray()) {
      byte[] array = buf.array();
      if (buf.arrayOffset() + start == 0 && length == array.length) {
        return array;
      }
    }
    byte[] bytes = new byte[length];
    buf.getBytes(start, bytes);
    return bytes;
  }

  /** Writes a text, each character as one byte. */
  public static void copy(AsciiString src, ByteBuf dst) {
    copy(src, 0, dst, src.length());
  }

  /** Sets part of a text, each character as one byte. */
  public static void copy(AsciiString src, int srcIdx, ByteBuf dst, int dstIdx, int length) {
    Objects.checkFromIndexSize(srcIdx, length, src.length());
    dst.setBytes(dstIdx, src.array(), src.arrayOffset() + srcIdx, length);
  }

  /** Writes part of a text, each character as one byte. */
  public static void copy(AsciiString src, int srcIdx, ByteBuf dst, int length) {
    Objects.checkFromIndexSize(srcIdx, length, src.length());
    dst.writeBytes(src.array(), src.arrayOffset() + srcIdx, length);
  }

  // Texts

  /**
   * Returns a new buffer with a text in UTF-8; its capacity is {@link #utf8MaxBytes(CharSequence)}.
   */
  public static ByteBuf writeUtf8(ByteBufAllocator alloc, CharSequence seq) {
    return Unpooled.filled(alloc.buffer(utf8MaxBytes(seq)), buffer -> writeUtf8(buffer, seq));
  }

  /**
   * Writes a text in UTF-8. An unpaired surrogate becomes {@code '?'}; the bytes of an {@link
   * AsciiString} are written unchanged. {@link #utf8MaxBytes(CharSequence)} bytes must be writable.
   *
   * @return the number of bytes written
   */
  public static int writeUtf8(ByteBuf buf, CharSequence seq) {
    return reserveAndWriteUtf8(buf, seq, utf8MaxBytes(seq));
  }

  /** Writes part of a text, as {@link #writeUtf8(ByteBuf, CharSequence)} does. */
  public static int writeUtf8(ByteBuf buf, CharSequence seq, int start, int end) {
    Objects.checkFromToIndex(start, end, seq.length());
    return writeUtf8(buf, seq, start, end, utf8MaxBytes(end - start));
  }

  /**
   * Writes a text as {@link #writeUtf8(ByteBuf, CharSequence)} does, for a caller that knows the
   * length: only {@code reserveBytes} bytes must be writable. If these are too few, the buffer
   * grows or refuses the write.
   */
  public static int reserveAndWriteUtf8(ByteBuf buf, CharSequence seq, int reserveBytes) {
    return writeUtf8(buf, seq, 0, seq.length(), reserveBytes);
  }

  /** Writes part of a text, as {@link #reserveAndWriteUtf8(ByteBuf, CharSequence, int)} does. */
  public static int reserveAndWriteUtf8(
      ByteBuf buf, CharSequence seq, int start, int end, int reserveBytes) {
    Objects.checkFromToIndex(start, end, seq.length());
    return writeUtf8(buf, seq, start, end, reserveBytes);
  }

  private static int writeUtf8(ByteBuf buf, CharSequence seq, int start, int end, int reserve) {
    if (ForwardingByteBuf.target(buf) instanceof AbstractByteBuf buffer) {
      return StringTransfers.writeUtf8(buffer, seq, start, end, reserve);
    }
    byte[] bytes =
        seq instanceof AsciiString ascii
            ? ascii.toByteArray(start, end)
            : seq.subSequence(start, end).toString().getBytes(CharsetUtil.UTF_8);
    buf.writeBytes(bytes);
    return bytes.length;
  }

  /** Returns the maximum number of bytes of {@code seqLength} characters in UTF-8. */
  public static int utf8MaxBytes(int seqLength) {
    return (int) Math.min((long) seqLength * Utf8.MAX_BYTES_PER_CHAR, Integer.MAX_VALUE);
  }

  /** Returns the maximum number of bytes that a text of this length and class has in UTF-8. */
  public static int utf8MaxBytes(CharSequence seq) {
    return seq instanceof AsciiString ? seq.length() : utf8MaxBytes(seq.length());
  }

  /** Returns the number of bytes that {@link #writeUtf8(ByteBuf, CharSequence)} writes. */
  public static int utf8Bytes(CharSequence seq) {
    return StringTransfers.utf8Length(seq, 0, seq.length());
  }

  /**
   * Returns the number of bytes that {@link #writeUtf8(ByteBuf, CharSequence, int, int)} writes.
   */
  public static int utf8Bytes(CharSequence seq, int start, int end) {
    Objects.checkFromToIndex(start, end, seq.length());
    return StringTransfers.utf8Length(seq, start, end);
  }

  /**
   * Returns a new buffer with a text, each character as one byte; the capacity is the length of the
   * text.
   */
  public static ByteBuf writeAscii(ByteBufAllocator alloc, CharSequence seq) {
    return Unpooled.filled(alloc.buffer(seq.length()), buffer -> writeAscii(buffer, seq));
  }

  /**
   * Writes each character as one byte: {@code '?'} for those above 255.
   *
   * @return the number of bytes written, which is the number of characters
   */
  public static int writeAscii(ByteBuf buf, CharSequence seq) {
    if (ForwardingByteBuf.target(buf) instanceof AbstractByteBuf buffer) {
      return StringTransfers.writeLatin1(buffer, seq);
    }
    AsciiString bytes = AsciiString.of(seq);
    copy(bytes, buf);
    return bytes.length();
  }

  /** Returns a new buffer with the characters in a charset, without extra capacity. */
  public static ByteBuf encodeString(ByteBufAllocator alloc, CharBuffer src, Charset charset) {
    return encodeString(alloc, src, charset, 0);
  }

  /**
   * Returns a new buffer with the characters in a charset, and room for {@code extraCapacity} more
   * bytes. Characters that the charset cannot encode become its replacement.
   */
  public static ByteBuf encodeString(
      ByteBufAllocator alloc, CharBuffer src, Charset charset, int extraCapacity) {
    CharsetEncoder encoder = CharsetUtil.encoder(charset);
    int maxBytes = (int) Math.ceil((double) src.remaining() * encoder.maxBytesPerChar());
    if (extraCapacity < 0 || extraCapacity > Integer.MAX_VALUE - maxBytes) {
      throw new IllegalArgumentException(
          "extraCapacity: %s (expected: 0 to %s, because the text has up to %s bytes)"
              .formatted(extraCapacity, Integer.MAX_VALUE - maxBytes, maxBytes));
    }
    return Unpooled.filled(
        alloc.buffer(maxBytes + extraCapacity),
        encoded -> {
          encoded.writeCharSequence(src.toString(), charset);
          src.position(src.limit());
        });
  }

  /**
   * Returns a direct buffer for short use by the calling thread, or null if {@code
   * -Dcistern.threadLocalDirectBufferSize} is 0. The buffer belongs to the pool, whose thread cache
   * keeps its memory.
   */
  public static @Nullable ByteBuf threadLocalDirectBuffer() {
    return THREAD_LOCAL_BUFFER_BYTES == 0 ? null : PooledByteBufAllocator.DEFAULT.directBuffer();
  }

  /** Returns whether the readable bytes are well-formed in a charset. */
  public static boolean isText(ByteBuf buf, Charset charset) {
    return isText(buf, buf.readerIndex(), buf.readableBytes(), charset);
  }

  /**
   * Returns whether a range of bytes is well-formed in a charset.
   *
   * @throws IndexOutOfBoundsException if some of the bytes are beyond the writer index
   */
  public static boolean isText(ByteBuf buf, int index, int length, Charset charset) {
    Objects.checkFromIndexSize(index, length, buf.writerIndex());
    CharsetDecoder decoder = CharsetUtil.decoder(charset, CodingErrorAction.REPORT);
    ByteBuffer bytes = buf.nioBuffer(index, length);
    CharBuffer chars = CharBuffer.allocate(DECODED_CHARS);
    CoderResult result;
    do {
      result = decoder.decode(bytes, chars.clear(), true);
    } while (result.isOverflow());
    return result.isUnderflow() && decoder.flush(chars.clear()).isUnderflow();
  }

  /** Sets the listener of buffer leaks; null for none. */
  public static void setLeakListener(ResourceLeakDetector.@Nullable LeakListener leakListener) {
    LeakTracking.DETECTOR.setLeakListener(leakListener);
  }
}
