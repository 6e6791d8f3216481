/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ByteProcessor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** Compares the results of a call with what a {@link Deviation} says of them. */
@SuppressWarnings("deprecation") // order() belongs to what is compared
final class DeviationChecks {
  private DeviationChecks() {}

  // The empty buffer

  /** Returns whether the two differ in what they refuse although there is nothing to transfer. */
  static boolean isLenientWhenEmpty(TwinCall call) {
    if (call.bothReturn()) {
      return usesSourceOfNothing(call);
    } else if (call.ours().thrown() == null) {
      return findsNothing(call) || decodesNothing(call) || setsNothing(call);
    }
    return call.theirs().thrown() == null && refusesNothing(call);
  }

  /** Only our buffer reads 0 bytes from a stream, or finds out that a channel is at its end. */
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

  /** Our search finds nothing; Netty's refuses the range. */
  private static boolean findsNothing(TwinCall call) {
    return call.name().matches("bytesBefore|indexOf")
        && Integer.valueOf(-1).equals(call.ours().value())
        && hasOtherThanZero(call)
        && (call.theirsThrows(IndexOutOfBoundsException.class)
            || call.theirsThrows(IllegalArgumentException.class));
  }

  /** Our text of no bytes is empty at any index; Netty refuses the index. */
  private static boolean decodesNothing(TwinCall call) {
    return call.name().equals("toString")
        && "".equals(call.ours().value())
        && call.intArgument(0) != 0
        && call.intArgument(1) == 0
        && call.theirsThrows(IndexOutOfBoundsException.class);
  }

  /** Our buffer takes the bytes of a buffer without any; Netty's refuses every buffer. */
  private static boolean setsNothing(TwinCall call) {
    return call.name().equals("setBytes")
        && call.arguments().length == 2
        && call.intArgument(0) == 0
        && call.argument(1) instanceof ByteBuf source
        && !source.isReadable()
        && call.ours().value() == call.twin().ours()
        && call.theirsThrows(IndexOutOfBoundsException.class);
  }

  /** Our exception has its reason in an argument; Netty does not look at that. */
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

  /** Returns whether ours, which is not the empty buffer itself, has memory of one kind only. */
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

  /** Returns whether our indices follow the capacity, or we refuse to read beyond it. */
  static boolean hasIndicesInside(TwinCall call) {
    if (call.name().equals("capacity")) {
      return call.bothReturn()
          && call.writerIndex() > call.intArgument(0)
          && call.twin().ours().writerIndex() <= call.intArgument(0);
    }
    return call.name().matches("read[A-Z].*|skipBytes|bytesBefore|forEachByte(Desc)?|toString")
        && call.writerIndex() > call.capacity() // a view of the same root has shrunk it
        && call.theirs().thrown() == null
        && call.oursThrows(IndexOutOfBoundsException.class);
  }

  // Composites

  static boolean isOfAComposite(TwinCall call) {
    return call.kind().name().contains("COMPOSITE")
        || TwinArguments.root(call.twin().ours()) instanceof AbstractCompositeByteBuf;
  }

  /** Returns whether our buffer has its bytes of before, with a part of them copied at once. */
  static boolean copiesWithinAtOnce(TwinCall call) {
    int arguments = call.arguments().length;
    if (call.bytesBefore().length == 0
        || !(call.argument(1) instanceof ByteBuf ours)
        || !(call.arguments()[1].theirs() instanceof io.netty.buffer.ByteBuf theirs)) {
      return false;
    }
    // The argument has the indices and the bytes of the buffer: it is the buffer or a duplicate.
    boolean gets = call.name().startsWith("get");
    int its = gets ? call.writerIndex() : call.readerIndex();
    int all = gets ? call.capacity() - its : call.writerIndex() - its;
    int other = arguments == 4 ? call.intArgument(2) : its;
    int length = arguments == 2 ? all : call.intArgument(arguments - 1);
    int from = gets ? call.intArgument(0) : other;
    int to = gets ? other : call.intArgument(0);
    byte[] expected = call.bytesBefore().clone();
    System.arraycopy(expected, from, expected, to, length);
    return Arrays.equals(Twin.bytes(call.twin().ours(), 0, call.capacity()), expected)
        && hasSameIndices(call.twin().theirs(), call.twin().ours())
        && hasSameIndices(theirs, ours);
  }

  /** Returns whether ours finds what a search of the plain bytes finds. */
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

  /** Returns whether only we refuse to discard nothing, or to ensure the room that there is. */
  static boolean refusesWhatChangesNothing(TwinCall call) {
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
   * Returns whether Netty's duplicate of a read-only NIO buffer has the marks that it began with,
   * and ours has 0. The difference is one of the marks, or of an index that was reset.
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

  /** Both marks; -1 for a mark outside the buffer. */
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

    /** With indices that any mark fits. */
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

  /** Returns the capacity of what the twin of Netty's is a view of in the end. */
  static int capacityOfTheRoot(TwinCall call) {
    io.netty.buffer.ByteBuf root = call.twin().theirs();
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    return root.capacity();
  }

  /** Returns whether the call made the same buffers, but Netty's without a maximum capacity. */
  static boolean makesTheSameWithLimit(TwinCall call, int maxCapacity) {
    return call.theirs().value() instanceof io.netty.buffer.ByteBuf theirs
        && call.ours().value() instanceof ByteBuf ours
        && ours.refCnt() > 0
        && Shown.of(theirs).equals(Shown.of(ours))
        && theirs.maxCapacity() == Integer.MAX_VALUE
        && ours.maxCapacity() == maxCapacity;
  }

  // Fixed composites of little-endian buffers: Netty's is little-endian, ours has a swapped view

  static boolean isOfLittleEndianComponents(TwinCall call) {
    io.netty.buffer.ByteBuf buffer = call.twin().theirs();
    while (buffer.unwrap() != null) {
      buffer = buffer.unwrap();
    }
    return Twin.isOfAFixedComposite(buffer) && buffer.order() == ByteOrder.LITTLE_ENDIAN;
  }

  /** Returns whether the results are those of a swapped view, and of a composite without one. */
  static boolean isSwappedView(TwinCall call) {
    boolean isOurs = call.twin().ours() instanceof SwappedByteBuf;
    return isOfLittleEndianComponents(call)
        && switch (call.name()) {
          case "unwrap" ->
              call.bothReturn()
                  && (call.theirs().value() == null) == isOurs
                  && (call.ours().value() == null) != isOurs;
          case "internalNioBuffer" ->
              isOurs
                  ? call.theirsThrows(UnsupportedOperationException.class)
                      && isNioBufferOfTheRange(call)
                  : call.oursThrows(UnsupportedOperationException.class)
                      && call.theirs().value() instanceof ByteBuffer;
          case "copy", "readBytes" -> isOurs && makesTheSameLittleEndian(call);
          default -> false;
        };
  }

  /** Returns whether the call made buffers of the same bytes, but only ours is little-endian. */
  private static boolean makesTheSameLittleEndian(TwinCall call) {
    return call.theirs().value() instanceof io.netty.buffer.ByteBuf theirs
        && call.ours().value() instanceof ByteBuf ours
        && ours.refCnt() > 0
        && theirs.order() == ByteOrder.BIG_ENDIAN
        && ours.order() == ByteOrder.LITTLE_ENDIAN
        && Shown.of(theirs.order(ByteOrder.LITTLE_ENDIAN)).equals(Shown.of(ours));
  }

  /** Returns whether ours is a NIO buffer of the bytes of the range. */
  private static boolean isNioBufferOfTheRange(TwinCall call) {
    return call.ours().value() instanceof ByteBuffer ours
        && ours.equals(
            ByteBuffer.wrap(
                Twin.bytes(call.twin().ours(), call.intArgument(0), call.intArgument(1))));
  }

  /** Returns whether ours is the number that the bytes have in the order of the call. */
  static boolean isNumberOfTheBytes(TwinCall call) {
    if (!call.name().matches("(get|read)(Unsigned)?(Short|Medium|Int|Long|Char|Float|Double)(LE)?")
        || !call.bothReturn()) {
      return false;
    }
    String type = call.name().replaceAll("^(get|read)|LE$", "");
    int index = call.name().startsWith("get") ? call.intArgument(0) : call.readerIndex();
    ByteBuf ours = call.twin().ours();
    ByteBuffer bytes = ByteBuffer.wrap(Twin.bytes(ours, index, width(type)));
    bytes.order(call.name().endsWith("LE") ? ByteOrder.LITTLE_ENDIAN : ours.order());
    return number(type, bytes).equals(call.ours().value());
  }

  /** Returns whether ours is what the same call on a plain buffer of the bytes returns. */
  static boolean isResultOfTheBytes(TwinCall call) {
    if (!call.name().matches("bytesBefore|indexOf|hashCode|equals|compareTo")
        || !call.bothReturn()) {
      return false;
    }
    ByteBuf ours = call.twin().ours();
    ByteBuf plain = Unpooled.wrappedBuffer(Twin.bytes(ours, 0, ours.capacity()));
    plain.setIndex(ours.readerIndex(), ours.writerIndex());
    Object[] arguments = TwinArguments.ours(call.arguments());
    Object expected = MethodPair.call(call.method().ours(), plain, arguments).value();
    return call.ours().value().equals(expected);
  }

  private static int width(String type) {
    return switch (type) {
      case "Short", "UnsignedShort", "Char" -> 2;
      case "Medium", "UnsignedMedium" -> 3;
      case "Int", "UnsignedInt", "Float" -> 4;
      default -> 8;
    };
  }

  private static Object number(String type, ByteBuffer bytes) {
    return switch (type) {
      case "Short" -> bytes.getShort(0);
      case "UnsignedShort" -> Short.toUnsignedInt(bytes.getShort(0));
      case "Char" -> bytes.getChar(0);
      case "Medium" -> unsignedMedium(bytes) << 8 >> 8;
      case "UnsignedMedium" -> unsignedMedium(bytes);
      case "Int" -> bytes.getInt(0);
      case "UnsignedInt" -> Integer.toUnsignedLong(bytes.getInt(0));
      case "Float" -> bytes.getFloat(0);
      case "Double" -> bytes.getDouble(0);
      default -> bytes.getLong(0);
    };
  }

  private static int unsignedMedium(ByteBuffer bytes) {
    boolean isLittle = bytes.order() == ByteOrder.LITTLE_ENDIAN;
    int high = bytes.get(isLittle ? 2 : 0) & 0xFF;
    int low = bytes.get(isLittle ? 0 : 2) & 0xFF;
    return high << 16 | (bytes.get(1) & 0xFF) << 8 | low;
  }

  // Exceptions

  /** Returns whether both refuse a call that has two faults, each for one of them. */
  static boolean namesOneOfTwoFaults(TwinCall call) {
    if (!call.bothThrow()) {
      return false;
    } else if (call.hasNull() && call.eitherThrows(NullPointerException.class)) {
      return true;
    } else if (call.takesChannel()
        && call.hasNegativePosition()
        && call.eitherThrows(IllegalArgumentException.class)) {
      return true;
    } else if (call.isOfAReadOnlyBuffer() || call.name().matches("array|arrayOffset")) {
      return call.eitherThrows(ReadOnlyBufferException.class);
    }
    // A range outside of the composite, whose parts Netty writes in turn.
    return isOfAComposite(call)
        && call.writes()
        && call.theirsThrows(ReadOnlyBufferException.class)
        && call.oursThrows(IndexOutOfBoundsException.class);
  }

  /** Returns whether an exception is one that the JDK throws for a wrong range. */
  static boolean isOfTheJdk(Throwable thrown) {
    return thrown instanceof BufferUnderflowException
        || thrown instanceof NegativeArraySizeException
        || thrown instanceof OutOfMemoryError
        || String.valueOf(thrown.getMessage()).matches("new(Limit|Position) .*");
  }
}
