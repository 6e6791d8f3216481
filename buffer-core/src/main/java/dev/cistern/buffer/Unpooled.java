/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.memory.Region;
import dev.cistern.util.ReferenceCountUtil;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that are not pooled.
 *
 * <ul>
 *   <li><b>New</b> buffers ({@code buffer}, {@code directBuffer}, {@code compositeBuffer}) are
 *       empty and grow.
 *   <li><b>Wrapped</b> buffers share the bytes of the caller, all of which are readable. The caller
 *       keeps an array or a NIO buffer, and must not free its memory before the last release. A
 *       {@link ByteBuf} is handed over: the caller no longer owns a reference to it, and the last
 *       release of the result releases it. A call that fails, or that finds no readable bytes, also
 *       releases all buffers that were handed over.
 *   <li><b>Copied</b> buffers ({@code copiedBuffer}, {@code copyInt} and similar methods) are heap
 *       buffers with their own memory. A call moves no index and no position of a source, so that
 *       several threads can copy a source at the same time.
 * </ul>
 *
 * <p>If there are no bytes, the result is {@link #EMPTY_BUFFER}, which is never released.
 */
public final class Unpooled {
  private static final ByteBufAllocator ALLOC = UnpooledByteBufAllocator.DEFAULT;

  /** The byte order with the most significant byte first. */
  public static final ByteOrder BIG_ENDIAN = ByteOrder.BIG_ENDIAN;

  /** The byte order with the least significant byte first. */
  public static final ByteOrder LITTLE_ENDIAN = ByteOrder.LITTLE_ENDIAN;

  /** A buffer that has no bytes and cannot grow. */
  public static final ByteBuf EMPTY_BUFFER = ALLOC.buffer(0, 0);

  private Unpooled() {}

  // New

  /** Returns an empty heap buffer of 256 bytes that grows. */
  public static ByteBuf buffer() {
    return ALLOC.heapBuffer();
  }

  /** Returns an empty direct buffer of 256 bytes that grows. */
  public static ByteBuf directBuffer() {
    return ALLOC.directBuffer();
  }

  /** Returns an empty heap buffer that grows. */
  public static ByteBuf buffer(int initialCapacity) {
    return ALLOC.heapBuffer(initialCapacity);
  }

  /** Returns an empty direct buffer that grows. */
  public static ByteBuf directBuffer(int initialCapacity) {
    return ALLOC.directBuffer(initialCapacity);
  }

  /** Returns an empty heap buffer that grows up to {@code maxCapacity}. */
  public static ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return ALLOC.heapBuffer(initialCapacity, maxCapacity);
  }

  /** Returns an empty direct buffer that grows up to {@code maxCapacity}. */
  public static ByteBuf directBuffer(int initialCapacity, int maxCapacity) {
    return ALLOC.directBuffer(initialCapacity, maxCapacity);
  }

  /** Returns an empty composite of up to 16 components; with more, they are copied into one. */
  public static CompositeByteBuf compositeBuffer() {
    return compositeBuffer(AbstractByteBufAllocator.DEFAULT_MAX_COMPONENTS);
  }

  /**
   * Returns an empty composite of up to {@code maxNumComponents}.
   *
   * @throws IllegalArgumentException if that is below 1
   */
  public static CompositeByteBuf compositeBuffer(int maxNumComponents) {
    return new CompositeByteBuf(ALLOC, false, maxNumComponents);
  }

  // Wrapped

  /** Returns a buffer over an array. */
  public static ByteBuf wrappedBuffer(byte[] array) {
    return array.length == 0 ? EMPTY_BUFFER : new Wrapped(Region.of(array), false);
  }

  /** Returns a buffer over part of an array. */
  public static ByteBuf wrappedBuffer(byte[] array, int offset, int length) {
    if (length == 0) {
      return EMPTY_BUFFER;
    }
    ByteBuf whole = wrappedBuffer(array);
    return offset == 0 && length == array.length ? whole : whole.slice(offset, length);
  }

  /**
   * Returns a buffer over the remaining bytes of a NIO buffer, direct or on the heap. It is
   * read-only if the NIO buffer is. If that has an array, the result has its byte order; otherwise
   * it is big endian.
   */
  @SuppressWarnings("deprecation") // a NIO buffer has an order
  public static ByteBuf wrappedBuffer(ByteBuffer buffer) {
    if (!buffer.hasRemaining()) {
      return EMPTY_BUFFER;
    }
    if (buffer.hasArray()) {
      int offset = buffer.arrayOffset() + buffer.position();
      return wrappedBuffer(buffer.array(), offset, buffer.remaining()).order(buffer.order());
    }
    ByteBuf shared = new Wrapped(Region.of(buffer), false);
    return buffer.isReadOnly() ? shared.asReadOnly() : shared;
  }

  /**
   * Returns a buffer over native memory.
   *
   * @param memoryAddress the absolute address of the first byte
   * @param size the number of bytes
   * @param doFree true to free the memory with the last release, as {@code Unsafe.freeMemory} does
   * @throws IllegalArgumentException if {@code size} is negative
   */
  public static ByteBuf wrappedBuffer(long memoryAddress, int size, boolean doFree) {
    if (size < 0) {
      throw new IllegalArgumentException("size: " + size + " (expected: >= 0)");
    }
    return new Wrapped(Region.at(memoryAddress, size), doFree);
  }

  /**
   * A buffer over memory of a caller. It frees the memory only if the caller handed the memory
   * over.
   */
  private static final class Wrapped extends UnpooledByteBuf {
    private final Region given;
    private final boolean isHandedOver;

    Wrapped(Region given, boolean isHandedOver) {
      super(ALLOC, given, (int) given.bytes());
      this.given = given;
      this.isHandedOver = isHandedOver;
    }

    @Override
    void freeRegion(Region old) {
      if (old != given) {
        super.freeRegion(old);
      } else if (isHandedOver) {
        MemoryQuarantine.shared().add(old.address(), old.bytes());
      }
    }
  }

  /**
   * Returns a buffer over the readable bytes of {@code buffer}. The method takes over the caller's
   * reference.
   */
  public static ByteBuf wrappedBuffer(ByteBuf buffer) {
    if (buffer.isReadable()) {
      return buffer.slice();
    }
    buffer.release();
    return EMPTY_BUFFER;
  }

  /** Returns a buffer over arrays, one after the other, up to the first that is null. */
  public static ByteBuf wrappedBuffer(byte[]... arrays) {
    return wrappedBuffer(arrays.length, arrays);
  }

  /** Returns a buffer over buffers that are handed over, up to the first that is null. */
  public static ByteBuf wrappedBuffer(ByteBuf... buffers) {
    return wrappedBuffer(buffers.length, buffers);
  }

  /** Returns a buffer over NIO buffers, one after the other, up to the first that is null. */
  public static ByteBuf wrappedBuffer(ByteBuffer... buffers) {
    return wrappedBuffer(buffers.length, buffers);
  }

  /**
   * Returns a buffer over arrays, as {@link #wrappedBuffer(byte[][])} does. If there are more than
   * {@code maxNumComponents}, it copies all of them into one.
   *
   * @throws IllegalArgumentException if there are several and {@code maxNumComponents} is below 1
   */
  public static ByteBuf wrappedBuffer(int maxNumComponents, byte[]... arrays) {
    return wrappedEach(maxNumComponents, arrays, Unpooled::wrappedBuffer);
  }

  /**
   * Returns a buffer over buffers, as {@link #wrappedBuffer(ByteBuf...)} does. If there are more
   * than {@code maxNumComponents}, it copies all of them into one.
   *
   * @throws IllegalArgumentException if there are several and {@code maxNumComponents} is below 1
   */
  public static ByteBuf wrappedBuffer(int maxNumComponents, ByteBuf... buffers) {
    return joined(maxNumComponents, buffers.clone());
  }

  /**
   * Returns a buffer over NIO buffers, as {@link #wrappedBuffer(ByteBuffer...)} does. If there are
   * more than {@code maxNumComponents}, it copies all of them into one.
   *
   * @throws IllegalArgumentException if there are several and {@code maxNumComponents} is below 1
   */
  public static ByteBuf wrappedBuffer(int maxNumComponents, ByteBuffer... buffers) {
    return wrappedEach(maxNumComponents, buffers, Unpooled::wrappedBuffer);
  }

  private static <T> ByteBuf wrappedEach(
      int maxNumComponents, @Nullable T[] parts, Function<T, ByteBuf> wrap) {
    ByteBuf[] wrapped = new ByteBuf[parts.length];
    int count = 0;
    for (T part : parts) {
      if (part == null) {
        break;
      }
      ByteBuf one = wrap.apply(part);
      if (parts.length == 1) {
        return one; // in its own byte order
      } else if (one.isReadable()) {
        wrapped[count++] = one;
      }
    }
    return joined(maxNumComponents, wrapped);
  }

  /**
   * Returns a view of an only buffer, or a composite of the buffers up to the first null, without
   * the unreadable ones at the start. Takes all buffers over, even those after a null, and even if
   * it fails.
   */
  @SuppressWarnings("deprecation") // one buffer is big endian, as several joined buffers are
  private static ByteBuf joined(int maxNumComponents, @Nullable ByteBuf[] buffers) {
    try {
      for (int i = 0; i < buffers.length; i++) {
        ByteBuf first = buffers[i];
        if (first == null) {
          break;
        } else if (buffers.length == 1) {
          return wrappedBuffer(first).order(ByteOrder.BIG_ENDIAN);
        } else if (first.isReadable()) {
          ByteBuf[] all = Arrays.copyOfRange(buffers, i, buffers.length);
          Arrays.fill(buffers, null); // the composite releases them, even if it fails
          return new CompositeByteBuf(ALLOC, false, maxNumComponents, all);
        }
        buffers[i] = null;
        first.release();
      }
      Arrays.asList(buffers).forEach(ReferenceCountUtil::safeRelease);
      return EMPTY_BUFFER;
    } catch (RuntimeException | Error failed) {
      for (ByteBuf buffer : buffers) {
        ReferenceCountUtil.safeRelease(buffer);
      }
      throw failed;
    }
  }

  // Copied

  /** Returns a copy of an array. */
  public static ByteBuf copiedBuffer(byte[] array) {
    return wrappedBuffer(array.clone());
  }

  /** Returns a copy of part of an array. */
  public static ByteBuf copiedBuffer(byte[] array, int offset, int length) {
    if (length == 0) {
      return EMPTY_BUFFER;
    }
    Objects.checkFromIndexSize(offset, length, array.length);
    return wrappedBuffer(Arrays.copyOfRange(array, offset, offset + length));
  }

  /** Returns a copy of the remaining bytes of a NIO buffer. */
  public static ByteBuf copiedBuffer(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return wrappedBuffer(bytes);
  }

  /** Returns a copy of the readable bytes of a buffer; it can grow. */
  public static ByteBuf copiedBuffer(ByteBuf buffer) {
    int length = buffer.readableBytes();
    if (length == 0) {
      return EMPTY_BUFFER;
    }
    return filled(buffer(length), copy -> copy.writeBytes(buffer, buffer.readerIndex(), length));
  }

  /** Returns a copy of arrays, one after the other. */
  public static ByteBuf copiedBuffer(byte[]... arrays) {
    return copiedEach(arrays, Unpooled::wrappedBuffer);
  }

  /**
   * Returns a copy of the readable bytes of buffers, one after the other, in their byte order.
   *
   * @throws IllegalArgumentException if their orders differ, or there is more than 2 GiB
   */
  public static ByteBuf copiedBuffer(ByteBuf... buffers) {
    return buffers.length == 1
        ? copiedBuffer(buffers[0])
        : copiedEach(buffers, Function.identity());
  }

  /**
   * Returns a copy of the remaining bytes of NIO buffers, one after the other, in their byte order.
   *
   * @throws IllegalArgumentException if their orders differ, or there is more than 2 GiB
   */
  @SuppressWarnings("deprecation") // a NIO buffer has an order
  public static ByteBuf copiedBuffer(ByteBuffer... buffers) {
    return buffers.length == 1
        ? copiedBuffer(buffers[0])
        : copiedEach(buffers, buffer -> wrappedBuffer(buffer).order(buffer.order()));
  }

  @SuppressWarnings("deprecation") // buffers have an order
  private static <T> ByteBuf copiedEach(T[] sources, Function<T, ByteBuf> wrap) {
    ByteBuf[] buffers = Arrays.stream(sources).map(wrap).toArray(ByteBuf[]::new);
    long total = Arrays.stream(buffers).mapToLong(ByteBuf::readableBytes).sum();
    if (total > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "total length: " + total + " (expected: up to " + Integer.MAX_VALUE + ")");
    }
    byte[] bytes = new byte[(int) total];
    ByteOrder common = null;
    int at = 0;
    for (ByteBuf buffer : buffers) {
      int length = buffer.readableBytes();
      if (length > 0) {
        if (common != null && common != buffer.order()) {
          throw new IllegalArgumentException(
              "inconsistent byte order: " + common + ", " + buffer.order());
        }
        common = buffer.order();
        buffer.getBytes(buffer.readerIndex(), bytes, at, length);
        at += length;
      }
    }
    return common == null ? EMPTY_BUFFER : wrappedBuffer(bytes).order(common);
  }

  /** Returns the bytes of a text; unlike other copies it can grow. */
  public static ByteBuf copiedBuffer(CharSequence string, Charset charset) {
    Objects.requireNonNull(string, "string");
    Objects.requireNonNull(charset, "charset");
    return filled(buffer(string.length()), copy -> copy.writeCharSequence(string, charset));
  }

  /** Returns the bytes of part of a text, as {@link #copiedBuffer(CharSequence, Charset)} does. */
  public static ByteBuf copiedBuffer(CharSequence string, int offset, int length, Charset charset) {
    Objects.requireNonNull(string, "string");
    if (length == 0) {
      return EMPTY_BUFFER;
    }
    Objects.checkFromIndexSize(offset, length, string.length());
    return copiedBuffer(string.subSequence(offset, offset + length), charset);
  }

  /** Returns the bytes of a text, as {@link #copiedBuffer(CharSequence, Charset)} does. */
  public static ByteBuf copiedBuffer(char[] array, Charset charset) {
    return copiedBuffer(array, 0, Objects.requireNonNull(array, "array").length, charset);
  }

  /** Returns the bytes of part of a text, as {@link #copiedBuffer(CharSequence, Charset)} does. */
  public static ByteBuf copiedBuffer(char[] array, int offset, int length, Charset charset) {
    Objects.requireNonNull(array, "array");
    return length == 0
        ? EMPTY_BUFFER
        : copiedBuffer(CharBuffer.wrap(array, offset, length), charset);
  }

  /** Fills a buffer and returns it; releases it if {@code fill} fails. */
  static ByteBuf filled(ByteBuf empty, Consumer<ByteBuf> fill) {
    try {
      fill.accept(empty);
      return empty;
    } catch (RuntimeException | Error failed) {
      empty.release();
      throw failed;
    }
  }

  // Numbers

  private static ByteBuf numbers(
      @Nullable Object array, int bytesEach, ObjIntConsumer<ByteBuf> writer) {
    int count = array == null ? 0 : Array.getLength(array);
    if (count == 0) {
      return EMPTY_BUFFER;
    }
    ByteBuf copy = buffer(Math.multiplyExact(count, bytesEach));
    for (int i = 0; i < count; i++) {
      writer.accept(copy, i);
    }
    return copy;
  }

  /** Returns a buffer with a 32-bit integer, 4 bytes. */
  public static ByteBuf copyInt(int value) {
    return buffer(4).writeInt(value);
  }

  /** Returns a buffer with 32-bit integers, 4 bytes each; none for null. */
  public static ByteBuf copyInt(int... values) {
    return numbers(values, 4, (copy, i) -> copy.writeInt(values[i]));
  }

  /** Returns a buffer with the low 16 bits of a value, 2 bytes. */
  public static ByteBuf copyShort(int value) {
    return buffer(2).writeShort(value);
  }

  /** Returns a buffer with the low 16 bits of values, 2 bytes each; none for null. */
  public static ByteBuf copyShort(short... values) {
    return numbers(values, 2, (copy, i) -> copy.writeShort(values[i]));
  }

  /** Returns a buffer with the low 16 bits of values, 2 bytes each; none for null. */
  public static ByteBuf copyShort(int... values) {
    return numbers(values, 2, (copy, i) -> copy.writeShort(values[i]));
  }

  /** Returns a buffer with the low 24 bits of a value, 3 bytes. */
  public static ByteBuf copyMedium(int value) {
    return buffer(3).writeMedium(value);
  }

  /** Returns a buffer with the low 24 bits of values, 3 bytes each; none for null. */
  public static ByteBuf copyMedium(int... values) {
    return numbers(values, 3, (copy, i) -> copy.writeMedium(values[i]));
  }

  /** Returns a buffer with a 64-bit integer, 8 bytes. */
  public static ByteBuf copyLong(long value) {
    return buffer(8).writeLong(value);
  }

  /** Returns a buffer with 64-bit integers, 8 bytes each; none for null. */
  public static ByteBuf copyLong(long... values) {
    return numbers(values, 8, (copy, i) -> copy.writeLong(values[i]));
  }

  /** Returns a buffer with a boolean, one byte. */
  public static ByteBuf copyBoolean(boolean value) {
    return buffer(1).writeBoolean(value);
  }

  /** Returns a buffer with booleans, one byte each; none for null. */
  public static ByteBuf copyBoolean(boolean... values) {
    return numbers(values, 1, (copy, i) -> copy.writeBoolean(values[i]));
  }

  /** Returns a buffer with a 32-bit floating point number, 4 bytes. */
  public static ByteBuf copyFloat(float value) {
    return buffer(4).writeFloat(value);
  }

  /** Returns a buffer with 32-bit floating point numbers, 4 bytes each; none for null. */
  public static ByteBuf copyFloat(float... values) {
    return numbers(values, 4, (copy, i) -> copy.writeFloat(values[i]));
  }

  /** Returns a buffer with a 64-bit floating point number, 8 bytes. */
  public static ByteBuf copyDouble(double value) {
    return buffer(8).writeDouble(value);
  }

  /** Returns a buffer with 64-bit floating point numbers, 8 bytes each; none for null. */
  public static ByteBuf copyDouble(double... values) {
    return numbers(values, 8, (copy, i) -> copy.writeDouble(values[i]));
  }

  // Other wrappers

  /**
   * Returns a buffer over the same bytes that does not change the reference count, and neither do
   * its views. It is for a buffer that callers must not release.
   */
  public static ByteBuf unreleasableBuffer(ByteBuf buf) {
    return new UnreleasableByteBuf(Objects.requireNonNull(buf, "buf"));
  }

  /**
   * Returns a read-only view of a buffer, which is handed over. The view has its own indices.
   *
   * @deprecated use {@link ByteBuf#asReadOnly}
   */
  @Deprecated
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  public static ByteBuf unmodifiableBuffer(ByteBuf buffer) {
    ByteBuf readOnly = buffer.asReadOnly();
    return readOnly == buffer ? buffer.duplicate() : readOnly;
  }

  /**
   * Returns the same as {@link #wrappedUnmodifiableBuffer}, but the caller keeps the array.
   *
   * @deprecated use {@link #wrappedUnmodifiableBuffer}
   */
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // the annotation would be a dependency of this library
  public static ByteBuf unmodifiableBuffer(ByteBuf... buffers) {
    return wrappedUnmodifiableBuffer(buffers.clone());
  }

  /**
   * Returns a read-only buffer over the readable bytes of buffers. The caller hands over the
   * buffers and the array.
   *
   * @throws IllegalArgumentException if their byte orders differ
   */
  public static ByteBuf wrappedUnmodifiableBuffer(ByteBuf... buffers) {
    return switch (buffers.length) {
      case 0 -> EMPTY_BUFFER;
      case 1 -> buffers[0].asReadOnly();
      default -> FixedCompositeByteBuf.of(ALLOC, buffers);
    };
  }
}
