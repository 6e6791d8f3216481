/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The faults of a call, independent of how either library behaves: an exception is justified if the
 * call has the fault that the exception names.
 *
 * <p>The methods read the arguments after the call. The results are valid if Cistern refused the
 * call, because the indices of its arguments are then unchanged.
 */
final class CallFaults {
  private static final String NUMBERS =
      "(get|set|read|write)(Unsigned)?(Byte|Boolean|Short|Medium|Int|Long|Char|Float|Double)([LB]E)?";

  private CallFaults() {}

  /** Returns whether the call has the fault that the exception names. */
  static boolean justify(Throwable thrown, TwinCall call) {
    if (thrown instanceof IndexOutOfBoundsException) {
      return hasWrongRange(call);
    } else if (thrown instanceof NullPointerException) {
      return call.hasNull();
    } else if (thrown instanceof ReadOnlyBufferException) {
      return writesToReadOnly(call);
    } else if (thrown instanceof IllegalArgumentException) {
      return call.hasNegativePosition() || length(call) < 0;
    }
    return false;
  }

  /** Returns whether the range of the buffer, or that of an argument, is out of bounds. */
  static boolean hasWrongRange(TwinCall call) {
    return hasWrongRangeOfTheBuffer(call) || hasWrongRangeOfAnArgument(call);
  }

  /** Returns whether the range of a text to check exceeds the readable bytes. */
  static boolean hasWrongTextRange(TwinCall call) {
    int readable = call.writerIndex() - call.readerIndex();
    return call.name().equals("isText")
        && isOutside(call.intArgument(1), call.intArgument(2), readable);
  }

  /** Returns whether a text to encode leaves no room for the requested extra capacity. */
  static boolean hasWrongExtraCapacity(TwinCall call) {
    int extra = call.intArgument(3);
    return call.argument(1) instanceof CharBuffer text
        && call.argument(2) instanceof Charset charset
        && (extra < 0
            || extra
                > Integer.MAX_VALUE
                    - text.remaining() * (long) charset.newEncoder().maxBytesPerChar());
  }

  /** Returns whether the buffers of an array have both byte orders. */
  @SuppressWarnings("deprecation") // order() is deprecated
  static boolean hasTwoOrders(TwinCall call) {
    Stream<ByteOrder> orders =
        call.argument(0) instanceof ByteBuffer[] nio
            ? Arrays.stream(nio).filter(Objects::nonNull).map(ByteBuffer::order)
            : call.argument(0) instanceof ByteBuf[] buffers
                ? Arrays.stream(buffers).filter(Objects::nonNull).map(ByteBuf::order)
                : Stream.of();
    return orders.distinct().count() == 2;
  }

  /** Returns whether the buffer lacks the bytes, or the room, that the call needs. */
  static boolean hasWrongRangeOfTheBuffer(TwinCall call) {
    int length = length(call);
    if (call.name().startsWith("read")) {
      return length < 0 || length > call.writerIndex() - call.readerIndex();
    } else if (call.name().matches("write.*|reserveAndWriteUtf8|ensureWritable")) {
      return length < 0 || length > call.twin().ours().maxCapacity() - call.writerIndex();
    }
    return call.isRangeOutside(index(call), length);
  }

  /**
   * Returns whether an array or a buffer among the arguments lacks the bytes that the call needs.
   */
  static boolean hasWrongRangeOfAnArgument(TwinCall call) {
    int other = isAtAnIndex(call) ? 1 : 0;
    if (call.arguments().length <= other) {
      return false;
    }
    int index = call.intArgument(other + 1);
    int length = length(call);
    boolean isOfThree = call.arguments().length == other + 3;
    if (call.argument(other) instanceof byte[] bytes) {
      return isOfThree && isOutside(index, length, bytes.length);
    } else if (call.argument(other) instanceof ByteBuf buffer) {
      return isOfThree ? isOutside(index, length, buffer.capacity()) : length > room(call, buffer);
    }
    return false;
  }

  private static boolean isOutside(int index, int length, int capacity) {
    return index < 0 || length < 0 || (long) index + length > capacity;
  }

  private static int room(TwinCall call, ByteBuf argument) {
    return call.writes() ? argument.readableBytes() : argument.writableBytes();
  }

  /**
   * Returns the index, which is the first number of the call; a static function takes it after the
   * buffer.
   */
  private static int index(TwinCall call) {
    return call.intArgument(MethodPair.isStatic(call.method().ours()) ? 1 : 0);
  }

  private static boolean isAtAnIndex(TwinCall call) {
    return call.name().matches("(get|set).*");
  }

  /** Returns the number of bytes that the call transfers. */
  static int length(TwinCall call) {
    if (call.name().matches(NUMBERS)) {
      return FixedCompositeChecks.width(call.name().replaceAll("^(get|set|read|write)|[LB]E$", ""));
    } else if (call.name().matches("writeAscii|writeUtf8|reserveAndWriteUtf8")) {
      return EncodedText.chars(call);
    } else if (call.writes() && call.name().endsWith("CharSequence")) {
      return call.hasNull() ? 0 : EncodedText.length(call);
    }
    int numbers = isAtAnIndex(call) ? 1 : 0;
    for (int i = call.arguments().length - 1; i >= numbers; i--) {
      Object argument = call.argument(i);
      if (argument instanceof Integer length) {
        return length;
      } else if (argument instanceof byte[] bytes) {
        return bytes.length;
      } else if (argument instanceof ByteBuffer buffer) {
        return buffer.remaining();
      } else if (argument instanceof ByteBuf buffer) {
        return room(call, buffer);
      }
    }
    return 0;
  }

  /** Returns whether the call writes to read-only bytes. */
  static boolean writesToReadOnly(TwinCall call) {
    ByteBuf ours = call.twin().ours();
    if (writesToTheBuffer(call)) {
      return ours.isReadOnly() || firstReadOnly(ours, start(call), writtenBytes(call)) >= 0;
    } else if (call.name().startsWith("discard")) {
      int kept = call.writerIndex() - call.readerIndex();
      return ours.isReadOnly() || firstReadOnly(ours, 0, kept) >= 0;
    } else if (call.name().matches("capacity|ensureWritable|array|arrayOffset")) {
      return ours.isReadOnly();
    }
    int length = Math.max(0, length(call));
    int other = isAtAnIndex(call) ? 1 : 0;
    if (call.arguments().length <= other) {
      return false;
    } else if (call.argument(other) instanceof ByteBuf target) {
      boolean isOfThree = call.arguments().length == other + 3;
      int index = isOfThree ? call.intArgument(other + 1) : target.writerIndex();
      return target.isReadOnly() || firstReadOnly(target, index, length) >= 0;
    }
    return call.argument(other) instanceof ByteBuffer target && target.isReadOnly();
  }

  /** Returns whether the call writes to the buffer, and not only to an argument. */
  static boolean writesToTheBuffer(TwinCall call) {
    return call.writes() || call.name().equals("reserveAndWriteUtf8") || isStaticCopy(call);
  }

  /** Returns whether the call copies an {@code AsciiString} to the buffer. */
  private static boolean isStaticCopy(TwinCall call) {
    return call.name().equals("copy") && MethodPair.isStatic(call.method().ours());
  }

  /** Returns the index of the first byte that the call writes to the buffer. */
  static int start(TwinCall call) {
    if (isStaticCopy(call) && call.arguments().length == 5) {
      return call.intArgument(3);
    }
    return call.name().startsWith("set") ? index(call) : call.writerIndex();
  }

  /** Returns the number of bytes that the call writes to the buffer. */
  static int writtenBytes(TwinCall call) {
    if (isStaticCopy(call) && call.argument(call.arguments().length - 1) instanceof ByteBuf) {
      return EncodedText.chars(call);
    }
    boolean isText = call.takes(CharSequence.class) && !call.hasNull();
    return isText ? EncodedText.length(call) : Math.max(0, length(call));
  }

  /** Returns the first index of a range that a read-only component refuses to write, or -1. */
  static int firstReadOnly(ByteBuf buffer, int index, int length) {
    if (length <= 0) {
      return -1;
    } else if (buffer.isReadOnly()) {
      return index;
    } else if (buffer instanceof ViewByteBuf view) {
      return moved(firstReadOnly(view.root, view.offset + index, length), -view.offset);
    } else if (buffer instanceof ForwardingByteBuf wrapper) {
      return firstReadOnly(wrapper.target, index, length);
    }
    return buffer instanceof AbstractCompositeByteBuf joined
        ? firstReadOnlyPart(joined, index, (int) Math.min((long) index + length, Integer.MAX_VALUE))
        : -1;
  }

  private static int firstReadOnlyPart(AbstractCompositeByteBuf joined, int index, int end) {
    for (int i = 0; i < joined.count(); i++) {
      Component part = joined.at(i);
      int from = Math.max(index, part.start);
      int length = Math.min(end, part.end) - from;
      int found = moved(firstReadOnly(part.root, from + part.shift, length), -part.shift);
      if (found >= 0) {
        return found;
      }
    }
    return -1;
  }

  /** Returns the index of the first read-only component without bytes, or -1. */
  static int firstEmptyReadOnly(ByteBuf buffer, int from, int to) {
    if (buffer instanceof ViewByteBuf view) {
      int offset = view.offset;
      return moved(firstEmptyReadOnly(view.root, offset + from, offset + to), -offset);
    } else if (buffer instanceof ForwardingByteBuf wrapper) {
      return firstEmptyReadOnly(wrapper.target, from, to);
    } else if (buffer instanceof AbstractCompositeByteBuf joined) {
      for (int i = 0; i < joined.count(); i++) {
        Component part = joined.at(i);
        boolean isEmptyReadOnly = part.length() == 0 && part.source.isReadOnly();
        if (isEmptyReadOnly && part.start >= from && part.start <= to) {
          return part.start;
        }
      }
    }
    return -1;
  }

  private static int moved(int index, int distance) {
    return index < 0 ? -1 : index + distance;
  }
}
