/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.AsciiString;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Compares the text of a call, and the bytes of each library, with the JDK's encoding of the text.
 */
final class EncodedText {
  private EncodedText() {}

  /** Returns whether only Cistern encodes or decodes text that is not ASCII as the JDK does. */
  static boolean isOfTheJdkAboveAscii(TwinCall call) {
    return call.hasTextAbove127()
        && call.takes(Charset.class)
        && (call.bothReturn()
            ? isOnlyOursOfTheJdk(call) || isDecodedAsByTheJdk(call)
            : hasNoRoomForAsciiString(call))
        && (call.has(StandardCharsets.US_ASCII)
            || call.has(StandardCharsets.ISO_8859_1)
            || call.hasAsciiString());
  }

  /**
   * Returns whether Cistern has room for the text, and Netty refuses it, or makes more room for it.
   */
  static boolean needsNoLongestRoom(TwinCall call) {
    return call.name().endsWith("CharSequence")
        && call.writes()
        && isOfTheJdk(call)
        && (call.theirsThrows(IndexOutOfBoundsException.class)
            || (call.bothReturn()
                && call.theirs().value().equals(call.ours().value())
                && call.hasSameBytesToTheWriterIndex()));
  }

  /** Returns whether Cistern's result is the JDK's encoding of the text of the call. */
  static boolean isOfTheJdk(TwinCall call) {
    return hasText(call) && call.ours().thrown() == null && isOurs(call, encoded(call));
  }

  /** Returns whether only Cistern's result is the JDK's encoding of the text of the call. */
  static boolean isOnlyOursOfTheJdk(TwinCall call) {
    return isOfTheJdk(call) && !isTheirs(call, encoded(call));
  }

  /** Returns whether Cistern's {@code toString} decoded the bytes as the JDK does. */
  static boolean isDecodedAsByTheJdk(TwinCall call) {
    if (!call.name().equals("toString")) {
      return false;
    }
    boolean isOfAll = call.arguments().length == 1;
    int index = isOfAll ? call.readerIndex() : call.intArgument(0);
    int length = isOfAll ? call.writerIndex() - index : call.intArgument(1);
    byte[] bytes = Twin.bytes(call.twin().ours(), index, length);
    return new String(bytes, charset(call)).equals(call.ours().value());
  }

  /**
   * Returns whether Cistern refuses an {@code AsciiString} because its JDK encoding has no room.
   */
  static boolean hasNoRoomForAsciiString(TwinCall call) {
    if (!call.name().matches("(set|write)CharSequence")
        || !call.hasAsciiString()
        || call.theirs().thrown() != null
        || !call.oursThrows(IndexOutOfBoundsException.class)) {
      return false;
    }
    int room = call.name().startsWith("set") ? call.capacity() - call.intArgument(0) : room(call);
    return encoded(call).length > room;
  }

  /**
   * Returns whether Cistern wrote text to a wrapper as to any buffer, or had no room for the
   * reserved bytes, and Netty wrote the JDK's encoding.
   */
  static boolean isWrittenToAWrapper(TwinCall call) {
    if (!call.takes(ByteBuf.class) || !hasText(call) || call.theirs().thrown() != null) {
      return false;
    }
    boolean isAscii = call.name().equals("writeAscii");
    String text = text(call);
    boolean isOneByteEach = isAscii || call.hasAsciiString();
    byte[] bytes = isOneByteEach ? oneByteEach(text) : text.getBytes(StandardCharsets.UTF_8);
    byte[] bytesOfTheirs =
        text.getBytes(isAscii ? StandardCharsets.US_ASCII : StandardCharsets.UTF_8);
    boolean isOurs =
        call.ours().thrown() == null
            ? isOurs(call, bytes)
            : call.oursThrows(IndexOutOfBoundsException.class)
                && Math.max(bytes.length, reserve(call)) > room(call);
    return isOurs && isTheirs(call, bytesOfTheirs);
  }

  /**
   * Returns the number of bytes that must be writable before {@code ByteBufUtil} writes the text.
   */
  private static int reserve(TwinCall call) {
    int arguments = call.arguments().length;
    return switch (call.name()) {
      case "writeAscii" -> 0;
      case "writeUtf8" ->
          arguments == 2 && call.argument(1) instanceof AsciiString text
              ? text.length()
              : 3 * text(call).length();
      default -> call.intArgument(arguments - 1);
    };
  }

  private static int room(TwinCall call) {
    return call.twin().ours().maxCapacity() - call.writerIndex();
  }

  private static byte[] oneByteEach(String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (text.charAt(i) > 255 ? '?' : text.charAt(i));
    }
    return bytes;
  }

  /**
   * Returns the number of characters of the text of a call; its encoding has as many bytes, or
   * more.
   */
  static int chars(TwinCall call) {
    return hasText(call) ? text(call).length() : 0;
  }

  /** Returns the number of bytes of the text of a call. */
  static int length(TwinCall call) {
    return encoded(call).length;
  }

  /** Returns the room that Netty makes before it writes the text of a call. */
  static int roomForNetty(TwinCall call) {
    String text = text(call);
    return switch (call.name()) {
      case "writeAscii" -> text.length();
      case "writeUtf8", "reserveAndWriteUtf8" -> reserve(call);
      default -> {
        Charset charset = charset(call);
        boolean isOneByteEach =
            charset.equals(StandardCharsets.US_ASCII)
                || charset.equals(StandardCharsets.ISO_8859_1)
                || (charset.equals(StandardCharsets.UTF_8) && call.hasAsciiString());
        yield isOneByteEach
            ? text.length()
            : charset.equals(StandardCharsets.UTF_8) ? 3 * text.length() : length(call);
      }
    };
  }

  private static byte[] encoded(TwinCall call) {
    return text(call).getBytes(charset(call));
  }

  private static Charset charset(TwinCall call) {
    for (Both argument : call.arguments()) {
      if (argument.ours() instanceof Charset charset) {
        return charset;
      }
    }
    return StandardCharsets.UTF_8;
  }

  private static boolean hasText(TwinCall call) {
    return textArgument(call) >= 0;
  }

  private static int textArgument(TwinCall call) {
    for (int i = 0; i < call.arguments().length; i++) {
      if (call.argument(i) instanceof CharSequence || call.argument(i) instanceof char[]) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the text, or the part of it that the two following numbers select. */
  private static String text(TwinCall call) {
    int place = textArgument(call);
    Object argument = call.argument(place);
    String text =
        argument instanceof char[] chars
            ? new String(chars)
            : argument instanceof CharBuffer chars // the call moved its position
                ? chars.duplicate().rewind().toString()
                : argument.toString();
    if (call.arguments().length < place + 3
        || !(call.argument(place + 1) instanceof Integer)
        || !(call.argument(place + 2) instanceof Integer)) {
      return text;
    }
    int from = call.intArgument(place + 1);
    int second = call.intArgument(place + 2);
    int to = call.name().equals("copiedBuffer") ? from + second : second;
    return from == to ? "" : text.substring(from, to);
  }

  /** Returns whether Cistern wrote these bytes, made a buffer of them, or counted them. */
  private static boolean isOurs(TwinCall call, byte[] bytes) {
    Object value = call.ours().value();
    if (value instanceof ByteBuf made) {
      return made.refCnt() > 0 && Arrays.equals(Twin.bytes(made), bytes);
    } else if (!isNumberOf(value, bytes) || counts(call)) {
      return isNumberOf(value, bytes);
    }
    ByteBuf ours = call.twin().ours();
    return ours.writerIndex() == writerIndexAfter(call, bytes)
        && Arrays.equals(Twin.bytes(ours, start(call), bytes.length), bytes);
  }

  /** Returns whether Netty wrote these bytes, made a buffer of them, or counted them. */
  private static boolean isTheirs(TwinCall call, byte[] bytes) {
    Object value = call.theirs().value();
    if (value instanceof io.netty.buffer.ByteBuf made) {
      return made.refCnt() > 0 && Arrays.equals(Twin.bytes(made), bytes);
    } else if (!isNumberOf(value, bytes) || counts(call)) {
      return isNumberOf(value, bytes);
    }
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    return theirs.writerIndex() == writerIndexAfter(call, bytes)
        && Arrays.equals(Twin.bytes(theirs, start(call), bytes.length), bytes);
  }

  private static boolean isNumberOf(Object value, byte[] bytes) {
    return Integer.valueOf(bytes.length).equals(value);
  }

  private static boolean counts(TwinCall call) {
    return call.name().equals("utf8Bytes");
  }

  private static int start(TwinCall call) {
    return call.name().startsWith("set") ? call.intArgument(0) : call.writerIndex();
  }

  private static int writerIndexAfter(TwinCall call, byte[] bytes) {
    return call.writerIndex() + (call.name().startsWith("set") ? 0 : bytes.length);
  }
}
