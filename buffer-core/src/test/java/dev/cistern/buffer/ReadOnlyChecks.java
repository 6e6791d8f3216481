/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;

/**
 * Checks of writes that Cistern's buffer refuses because the buffer, or one of its components, is
 * read-only, and that Netty refuses late or not at all.
 */
final class ReadOnlyChecks {
  private ReadOnlyChecks() {}

  private static boolean isRefused(TwinCall call) {
    return call.refCnt() > 0
        && call.oursThrows(ReadOnlyBufferException.class)
        && CallFaults.writesToReadOnly(call)
        && call.isOursUnchanged();
  }

  /** Returns whether Netty moves its writer index before it refuses a byte. */
  static boolean movesWriterIndexFirst(TwinCall call) {
    return call.name().matches("writeByte|writeBoolean")
        && isRefused(call)
        && call.theirsThrows(ReadOnlyBufferException.class)
        && hasIndices(call, call.writerIndex() + 1)
        && call.hasTheirBytesOfBefore();
  }

  private static boolean hasIndices(TwinCall call, int writerIndex) {
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    return theirs.readerIndex() == call.readerIndex() && theirs.writerIndex() == writerIndex;
  }

  // Text

  /** Returns whether Netty has no room for the longest encoding that it expects. */
  static boolean hasNoRoomForText(TwinCall call) {
    int index = CallFaults.start(call);
    return call.name().matches("(set|write)CharSequence|writeAscii|(reserveAndW|w)riteUtf8")
        && isRefused(call)
        && call.theirsThrows(IndexOutOfBoundsException.class)
        && (index < 0 || (long) index + EncodedText.roomForNetty(call) > limit(call))
        && call.isTheirsUnchanged();
  }

  private static boolean isRefusedText(TwinCall call) {
    return call.oursThrows(ReadOnlyBufferException.class)
        && CallFaults.writesToReadOnly(call)
        && call.isOursUnchanged();
  }

  private static int limit(TwinCall call) {
    return call.name().startsWith("set") ? call.capacity() : call.twin().ours().maxCapacity();
  }

  /** Returns whether Netty writes text to a read-only buffer as to any other buffer. */
  static boolean writesText(TwinCall call) {
    if (!call.name().matches("(set|write)CharSequence")
        || !isRefusedText(call)
        || call.theirs().thrown() != null) {
      return false;
    }
    io.netty.buffer.ByteBuf writable = repeated(call);
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    int length = (int) call.theirs().value();
    return (length == 0 || theirs.hasMemoryAddress())
        && hasIndices(call, writable.writerIndex())
        && Arrays.equals(bytes(theirs), Twin.bytes(writable, 0, call.capacity()));
  }

  /** Repeats the call on a writable buffer of Netty's. */
  private static io.netty.buffer.ByteBuf repeated(TwinCall call) {
    io.netty.buffer.ByteBuf writable =
        io.netty.buffer.Unpooled.buffer(call.capacity()).writeBytes(call.bytesBefore());
    writable.setIndex(call.readerIndex(), call.writerIndex());
    for (Both argument : call.arguments()) {
      if (argument.theirs() instanceof CharBuffer text) {
        text.rewind(); // the call moved its position
      }
    }
    Object[] arguments = TwinArguments.theirs(call.arguments());
    Arrays.asList(arguments)
        .replaceAll(argument -> argument == call.twin().theirs() ? writable : argument);
    MethodPair.call(call.method().theirs(), writable, arguments);
    return writable;
  }

  private static byte[] bytes(io.netty.buffer.ByteBuf buffer) {
    return Twin.bytes(buffer, 0, buffer.capacity());
  }

  // Composites

  /** Returns whether Netty has written the bytes before the component that refuses, and no more. */
  static boolean writesUpToReadOnlyPart(TwinCall call) {
    MoveWithin move = MoveWithin.of(call);
    if (!isRefusedByPart(call) || !(CallFaults.writesToTheBuffer(call) || move != null)) {
      return false;
    }
    ByteBuf ours = call.twin().ours();
    int index = move == null ? CallFaults.start(call) : move.to();
    int length = move == null ? CallFaults.writtenBytes(call) : move.length();
    int readOnly = CallFaults.firstReadOnly(ours, index, length);
    int empty = CallFaults.firstEmptyReadOnly(ours, index + 1, readOnly);
    byte[] written = repeatedBytes(call, move);
    return hasWritten(call, index, readOnly, move, written)
        || (empty >= 0 && hasWritten(call, index, empty, move, written));
  }

  /**
   * Returns whether a component of Cistern's buffer refuses the call; the buffer can have made room
   * before.
   */
  private static boolean isRefusedByPart(TwinCall call) {
    return call.refCnt() > 0
        && !call.twin().ours().isReadOnly()
        && call.oursThrows(ReadOnlyBufferException.class)
        && CallFaults.writesToReadOnly(call)
        && (call.isOursUnchanged() || call.hasOursOnlyMoreRoom());
  }

  /**
   * Returns whether Netty wrote the bytes before a component that refuses, or up to its last byte.
   */
  private static boolean hasWritten(
      TwinCall call, int index, int readOnly, MoveWithin move, byte[] written) {
    int end = end(call, index, readOnly);
    if (end < 0 || end > readOnly) {
      return false;
    }
    byte[] expected = call.bytesBefore().clone();
    if (move == null) {
      System.arraycopy(written, index, expected, index, end - index);
    } else {
      move.copyByParts(expected, call.twin().ours(), end);
    }
    boolean movesIndex = call.name().startsWith("write") && call.theirs().thrown() == null;
    return hasIndices(call, movesIndex ? end : call.writerIndex())
        && Arrays.equals(Twin.bytes(call.twin().theirs(), 0, call.capacity()), expected);
  }

  /** Returns the index up to which Netty must have written, or -1 if it has another result. */
  private static int end(TwinCall call, int index, int readOnly) {
    if (call.theirsThrows(ReadOnlyBufferException.class)) {
      return readOnly;
    } else if (call.theirs().value() instanceof Integer length
        && (call.takesChannel()
            || call.takes(InputStream.class)
            || call.takes(CharSequence.class))) {
      // Netty's text can be shorter than Cistern's.
      return index + Math.max(0, length);
    }
    return call.theirsThrows(IOException.class) ? index + given(call).length : -1;
  }

  /** Returns the bytes that the stream of Netty's call has returned. */
  private static byte[] given(TwinCall call) {
    for (Both argument : call.arguments()) {
      if (argument.theirs() instanceof TwinStream stream) {
        return stream.given();
      }
    }
    return new byte[0];
  }

  /** Returns the bytes after the call if no component refuses it. */
  private static byte[] repeatedBytes(TwinCall call, MoveWithin move) {
    if (move != null) {
      return new byte[0];
    } else if (call.takes(CharSequence.class)) {
      return bytes(repeated(call));
    }
    ByteBuf writable = Unpooled.buffer(call.capacity()).writeBytes(call.bytesBefore());
    if (call.takes(InputStream.class)) {
      writable.setIndex(0, CallFaults.start(call)).writeBytes(given(call));
    } else {
      repeatOnCistern(call, writable);
    }
    return Twin.bytes(writable, 0, writable.capacity());
  }

  /**
   * Repeats the call on a writable buffer of Cistern's, because Netty's call has consumed its
   * arguments.
   */
  @SuppressWarnings("deprecation") // order() is deprecated
  private static void repeatOnCistern(TwinCall call, ByteBuf writable) {
    ByteBuf ordered = writable.order(call.twin().ours().order());
    ordered.setIndex(call.readerIndex(), call.writerIndex());
    Object[] arguments = TwinArguments.ours(call.arguments());
    if (MethodPair.isStatic(call.method().ours())) {
      Arrays.asList(arguments)
          .replaceAll(argument -> argument == call.twin().ours() ? ordered : argument);
    }
    MethodPair.call(call.method().ours(), ordered, arguments);
  }
}
