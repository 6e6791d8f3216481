/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ByteProcessor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** Checks that the results of a call are those that a {@link Deviation} describes. */
@SuppressWarnings("deprecation") // order() is one of the compared methods
final class DeviationChecks {
  private DeviationChecks() {}

  // The empty buffer

  /** Returns whether the libraries refuse different calls although there is nothing to transfer. */
  static boolean isLenientWhenEmpty(TwinCall call) {
    if (call.bothReturn()) {
      return usesSourceOfNothing(call);
    } else if (call.ours().thrown() == null) {
      return findsNothing(call) || decodesNothing(call) || setsNothing(call);
    }
    return call.theirs().thrown() == null && refusesNothing(call);
  }

  /** Returns whether only Cistern reads 0 bytes from a stream, or detects the end of a channel. */
  private static boolean usesSourceOfNothing(TwinCall call) {
    if (call.takes(ScatteringByteChannel.class)) {
      return call.returns(0, -1);
    }
    for (Both argument : call.arguments()) {
      if (argument.theirs() instanceof TwinStream theirs
          && argument.ours() instanceof TwinStream ours) {
        return call.returns(0, 0)
            && theirs.reads().isEmpty()
            && ours.reads().size() == 1
            && ours.reads().get(0) == 0;
      }
    }
    return false;
  }

  /** Returns whether Cistern's search finds nothing, and Netty refuses the range. */
  private static boolean findsNothing(TwinCall call) {
    return call.name().matches("bytesBefore|indexOf")
        && Integer.valueOf(-1).equals(call.ours().value())
        && hasOtherThanZero(call)
        && (call.theirsThrows(IndexOutOfBoundsException.class)
            || call.theirsThrows(IllegalArgumentException.class));
  }

  /**
   * Returns whether Cistern decodes no bytes to an empty text at any index, and Netty refuses the
   * index.
   */
  private static boolean decodesNothing(TwinCall call) {
    return call.name().equals("toString")
        && "".equals(call.ours().value())
        && call.intArgument(0) != 0
        && call.intArgument(1) == 0
        && call.theirsThrows(IndexOutOfBoundsException.class);
  }

  /** Returns whether Cistern accepts a source without bytes; Netty refuses every source buffer. */
  private static boolean setsNothing(TwinCall call) {
    return call.name().equals("setBytes")
        && call.arguments().length == 2
        && call.intArgument(0) == 0
        && call.argument(1) instanceof ByteBuf source
        && !source.isReadable()
        && call.ours().value() == call.twin().ours()
        && call.theirsThrows(IndexOutOfBoundsException.class);
  }

  /** Returns whether Cistern refuses a wrong argument that Netty does not check. */
  private static boolean refusesNothing(TwinCall call) {
    if (call.name().equals("internalNioBuffer")) {
      return call.oursThrows(IndexOutOfBoundsException.class) && call.isOutside(0, 1);
    } else if (!call.name().matches("(get|set|read|write)(Bytes|Zero|CharSequence)")) {
      return false;
    }
    Throwable thrown = call.ours().thrown();
    if (thrown instanceof IndexOutOfBoundsException) {
      return hasOtherThanZero(call);
    } else if (thrown instanceof IllegalArgumentException) {
      return call.hasNegativePosition();
    } else if (thrown instanceof IOException) {
      return call.takes(InputStream.class);
    }
    return thrown instanceof NullPointerException
        ? call.hasNull()
        : thrown instanceof ReadOnlyBufferException && call.isOfAReadOnlyBuffer();
  }

  /** Returns whether an index or a length is outside of the empty buffer. */
  private static boolean hasOtherThanZero(TwinCall call) {
    return Arrays.stream(call.arguments())
        .anyMatch(argument -> argument.ours() instanceof Integer number && number != 0);
  }

  /**
   * Returns whether an empty Cistern buffer, other than the empty buffer itself, has memory of one
   * kind only.
   */
  static boolean hasNoMemory(TwinCall call) {
    if (call.twin().ours() instanceof EmptyByteBuf) {
      return false;
    }
    return switch (call.name()) {
      case "hasMemoryAddress", "hasArray", "isDirect" -> call.returns(true, false);
      case "memoryAddress", "array", "arrayOffset" ->
          call.theirs().thrown() == null && call.oursThrows(UnsupportedOperationException.class);
      default -> false;
    };
  }

  // Duplicates

  /**
   * Returns whether Cistern's indices follow the capacity, or Cistern refuses to read beyond it.
   */
  static boolean hasIndicesInside(TwinCall call) {
    if (call.name().equals("capacity")) {
      return call.bothReturn()
          && call.writerIndex() > call.intArgument(0)
          && call.twin().ours().writerIndex() <= call.intArgument(0);
    }
    return call.name().matches("read[A-Z].*|skipBytes|bytesBefore|forEachByte(Desc)?|toString")
        && call.writerIndex() > call.capacity() // another view of the same root shrank it
        && (call.theirs().thrown() == null || hasFoundNoComponent(call))
        && call.oursThrows(IndexOutOfBoundsException.class);
  }

  /** Returns whether Netty's composite has no component at the index to read. */
  private static boolean hasFoundNoComponent(TwinCall call) {
    return isOfAComposite(call)
        && call.theirs().thrown().getClass() == IllegalStateException.class
        && call.twin().theirs().readerIndex() == call.readerIndex();
  }

  // Composites

  static boolean isOfAComposite(TwinCall call) {
    return call.kind().name().contains("COMPOSITE")
        || TwinArguments.root(call.twin().ours()) instanceof AbstractCompositeByteBuf;
  }

  /**
   * Returns whether Cistern copied the range within its buffer as a single copy of the original
   * bytes.
   */
  static boolean copiesWithinAtOnce(TwinCall call) {
    MoveWithin move = call.copiesWithinAComposite() ? MoveWithin.of(call) : null;
    if (move == null
        || !(call.argument(1) instanceof ByteBuf ours)
        || !(call.arguments()[1].theirs() instanceof io.netty.buffer.ByteBuf theirs)) {
      return false;
    }
    byte[] expected = call.bytesBefore().clone();
    System.arraycopy(expected, move.from(), expected, move.to(), move.length());
    return Arrays.equals(Twin.bytes(call.twin().ours(), 0, call.capacity()), expected)
        && hasSameIndices(call.twin().theirs(), call.twin().ours())
        && hasSameIndices(theirs, ours);
  }

  /** Returns whether Cistern's search finds the same index as a search of the plain bytes. */
  static boolean findsTheLast(TwinCall call) {
    boolean isOfAll = call.arguments().length == 1;
    int index = isOfAll ? call.readerIndex() : call.intArgument(0);
    int length = isOfAll ? call.writerIndex() - index : call.intArgument(1);
    if (!call.bothReturn() || !(call.argument(isOfAll ? 0 : 2) instanceof ByteProcessor stop)) {
      return false;
    }
    ByteBuf ours = call.twin().ours();
    ByteBuf plain = Unpooled.wrappedBuffer(Twin.bytes(ours, 0, ours.capacity()));
    return call.ours().value().equals(plain.forEachByteDesc(index, length, stop));
  }

  private static boolean hasSameIndices(io.netty.buffer.ByteBuf theirs, ByteBuf ours) {
    return theirs.readerIndex() == ours.readerIndex() && theirs.writerIndex() == ours.writerIndex();
  }

  // Read-only buffers

  /** Returns whether only Cistern refuses to discard nothing, or to ensure room that exists. */
  static boolean refusesACallWithoutEffect(TwinCall call) {
    if (call.theirs().thrown() != null || !call.oursThrows(ReadOnlyBufferException.class)) {
      return false;
    }
    return switch (call.name()) {
      case "discardReadBytes" ->
          call.readerIndex() == 0 || call.readerIndex() == call.writerIndex();
      case "ensureWritable" -> call.intArgument(0) <= call.capacity() - call.writerIndex();
      default -> false;
    };
  }

  /**
   * Returns whether Netty's duplicate of a read-only NIO buffer has its initial marks, and
   * Cistern's has 0. The difference is one of the marks, or of an index that was reset.
   */
  static boolean hasMarksFromTheStart(TwinCall call) {
    Twin twin = call.twin();
    if (twin.depth() == 0 || !TwinRun.isReadOnlyNio(twin.theirs())) {
      return false;
    }
    Marks theirs = Marks.of(twin.theirs());
    Marks ours = Marks.of(twin.ours());
    boolean isReaderZero = ours.reader == 0 && theirs.reader > 0;
    boolean isWriterZero = ours.writer == 0 && theirs.writer > 0;
    if (call.difference().startsWith("marks")) {
      return (isReaderZero || theirs.reader == ours.reader)
          && (isWriterZero || theirs.writer == ours.writer);
    }
    return switch (call.name()) {
      case "resetReaderIndex" ->
          isReaderZero
              && call.bothReturn()
              && twin.theirs().readerIndex() == theirs.reader
              && twin.ours().readerIndex() == 0
              && twin.theirs().writerIndex() == twin.ours().writerIndex();
      case "resetWriterIndex" ->
          isWriterZero
              && call.theirs().thrown() == null
              && twin.theirs().writerIndex() == theirs.writer
              && twin.theirs().readerIndex() == twin.ours().readerIndex()
              && (call.ours().thrown() == null
                  ? twin.ours().writerIndex() == 0
                  : call.oursThrows(IndexOutOfBoundsException.class) && call.readerIndex() > 0);
      default -> false;
    };
  }

  /** Both marks; -1 for a mark outside of the buffer. */
  private record Marks(int reader, int writer) {
    static Marks of(io.netty.buffer.ByteBuf buffer) {
      int readerIndex = buffer.readerIndex();
      int writerIndex = buffer.writerIndex();
      Marks marks =
          new Marks(
              mark(() -> opened(buffer).resetReaderIndex().readerIndex()),
              mark(() -> opened(buffer).resetWriterIndex().writerIndex()));
      buffer.setIndex(readerIndex, writerIndex);
      return marks;
    }

    static Marks of(ByteBuf buffer) {
      int readerIndex = buffer.readerIndex();
      int writerIndex = buffer.writerIndex();
      Marks marks =
          new Marks(
              mark(() -> opened(buffer).resetReaderIndex().readerIndex()),
              mark(() -> opened(buffer).resetWriterIndex().writerIndex()));
      buffer.setIndex(readerIndex, writerIndex);
      return marks;
    }

    /** Sets the indices so that any valid mark can be restored. */
    private static io.netty.buffer.ByteBuf opened(io.netty.buffer.ByteBuf buffer) {
      return buffer.setIndex(0, buffer.capacity());
    }

    private static ByteBuf opened(ByteBuf buffer) {
      return buffer.setIndex(0, buffer.capacity());
    }

    private static int mark(IntSupplier reset) {
      try {
        return reset.getAsInt();
      } catch (IndexOutOfBoundsException outside) {
        return -1;
      }
    }
  }

  /** Returns the capacity of the root of Netty's buffer. */
  static int capacityOfTheRoot(TwinCall call) {
    io.netty.buffer.ByteBuf root = call.twin().theirs();
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    return root.capacity();
  }

  /** Returns whether the call made the same buffers, but only Netty's has no maximum capacity. */
  static boolean makesTheSameWithLimit(TwinCall call, int maxCapacity) {
    return call.theirs().value() instanceof io.netty.buffer.ByteBuf theirs
        && call.ours().value() instanceof ByteBuf ours
        && ours.refCnt() > 0
        && Shown.of(theirs).equals(Shown.of(ours))
        && theirs.maxCapacity() == Integer.MAX_VALUE
        && ours.maxCapacity() == maxCapacity;
  }

  // Static functions

  /** Returns whether the array given to Cistern contains a released buffer. */
  static boolean hasReleasedBuffers(TwinCall call) {
    return call.argument(call.arguments().length - 1) instanceof ByteBuf[] buffers
        && Arrays.stream(buffers).anyMatch(buffer -> buffer != null && buffer.refCnt() == 0);
  }

  /** Returns whether Cistern returned a buffer of the readable bytes of the array's buffers. */
  static boolean returnsTheReadableBytes(TwinCall call) {
    ByteBuf expected = Unpooled.buffer();
    if (call.argument(0) instanceof ByteBuf[] buffers
        && call.ours().value() instanceof ByteBuf returned) {
      for (ByteBuf buffer : buffers) {
        expected.writeBytes(buffer, buffer.readerIndex(), buffer.readableBytes());
      }
      return returned.equals(expected);
    }
    return false;
  }

  /**
   * Returns whether a text among the arguments has an unpaired surrogate, which is not a character.
   */
  static boolean hasUnpairedSurrogate(TwinCall call) {
    for (Both argument : call.arguments()) {
      Object value = argument.ours();
      Object chars = value instanceof char[] array ? CharBuffer.wrap(array) : value;
      if (chars instanceof CharSequence text
          && text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the range of a dump is out of the bounds of the buffer or the array. */
  static boolean isDumpOutside(TwinCall call) {
    int length =
        call.argument(0) instanceof byte[] array
            ? array.length
            : call.argument(0) instanceof ByteBuf buffer ? buffer.capacity() : 0;
    return (long) call.intArgument(1) + call.intArgument(2) > length
        || (call.intArgument(1) | call.intArgument(2)) < 0;
  }

  // Exceptions

  /** Returns whether an exception is one that the JDK throws for a wrong range. */
  static boolean isOfTheJdk(Throwable thrown) {
    return thrown instanceof BufferUnderflowException
        || thrown instanceof NegativeArraySizeException
        || thrown instanceof OutOfMemoryError
        || String.valueOf(thrown.getMessage()).matches("new(Limit|Position) .*");
  }
}
