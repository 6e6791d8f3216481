/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Text of values of either library, which is the same if the values are. */
final class Shown {
  private Shown() {}

  static String of(Object value) {
    if (value instanceof io.netty.buffer.ByteBuf buffer) {
      return show(buffer);
    } else if (value instanceof ByteBuf buffer) {
      return show(buffer);
    } else if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    } else if (value instanceof char[] chars) {
      return Arrays.toString(chars);
    } else if (value instanceof Object[] values) {
      return Arrays.stream(values).map(Shown::of).toList().toString();
    } else if (value instanceof ByteBuffer buffer) {
      return show(buffer);
    } else if (value instanceof CharSequence text && !(value instanceof CharBuffer)) {
      return "\"" + text + "\"";
    } else if (value instanceof Enum<?> constant) {
      return constant.name();
    } else if (value instanceof Map.Entry<?, ?> entry) {
      return of(entry.getKey()) + "=" + of(entry.getValue());
    }
    return showStream(value);
  }

  private static String showStream(Object value) {
    if (value instanceof ByteArrayInputStream stream) {
      return "left " + stream.available();
    } else if (value instanceof ByteArrayOutputStream stream) {
      return Arrays.toString(stream.toByteArray());
    } else if (value instanceof Iterator<?> iterator) {
      List<String> shown = new ArrayList<>();
      iterator.forEachRemaining(next -> shown.add(of(next)));
      return "all of " + shown;
    } else if (value instanceof Iterable<?> iterable && !(value instanceof java.nio.file.Path)) {
      return of(iterable.iterator());
    } else if (value instanceof Float number) {
      return "float " + Float.floatToRawIntBits(number);
    } else if (value instanceof Double number) {
      return "double " + Double.doubleToRawLongBits(number);
    }
    return String.valueOf(value);
  }

  @SuppressWarnings("deprecation")
  private static String show(io.netty.buffer.ByteBuf buffer) {
    if (buffer.refCnt() == 0) {
      return "freed buffer";
    }
    return "buffer "
        + (buffer.order() == ByteOrder.LITTLE_ENDIAN ? "LE " : "")
        + (isReadOnly(buffer) ? "read-only " : "")
        + buffer.readerIndex()
        + "/"
        + buffer.writerIndex()
        + "/"
        + buffer.capacity()
        + " readable "
        + Arrays.toString(Twin.bytes(buffer));
  }

  /** Returns whether a buffer counts as read-only; see {@link Deviation#FIXED_IS_READ_ONLY}. */
  private static boolean isReadOnly(io.netty.buffer.ByteBuf buffer) {
    return buffer.isReadOnly() || Twin.isOfAFixedComposite(buffer);
  }

  @SuppressWarnings("deprecation") // order() is one of the compared methods
  private static String show(ByteBuf buffer) {
    if (buffer.refCnt() == 0) {
      return "freed buffer";
    }
    return "buffer "
        + (buffer.order() == ByteOrder.LITTLE_ENDIAN ? "LE " : "")
        + (buffer.isReadOnly() ? "read-only " : "")
        + buffer.readerIndex()
        + "/"
        + buffer.writerIndex()
        + "/"
        + buffer.capacity()
        + " readable "
        + Arrays.toString(Twin.bytes(buffer));
  }

  /** Returns the text of the remaining bytes; the position can differ by implementation. */
  private static String show(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return "NIO buffer "
        + buffer.order()
        + (buffer.isReadOnly() ? " read-only " : " ")
        + Arrays.toString(bytes);
  }

  /**
   * Returns the type of an exception. Subtypes of {@link IndexOutOfBoundsException} can differ by
   * implementation.
   */
  static String exception(Throwable thrown) {
    return thrown instanceof IndexOutOfBoundsException
        ? IndexOutOfBoundsException.class.getSimpleName()
        : thrown.getClass().getSimpleName();
  }
}
