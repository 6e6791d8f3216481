/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the buffer without bytes behaves as Netty's does. */
@Tag("C5")
@SuppressWarnings("deprecation") // order() is deprecated
class EmptyByteBufTest {
  private static final Set<String> NOT_COMPARED =
      Set.of("alloc", "array", "memoryAddress", "toString", "unwrap", "asReadOnly");

  /**
   * Calls for which Netty's empty buffer is stricter or laxer than Netty's other buffers. Cistern's
   * empty buffer behaves as Cistern's other buffers: copying or encoding nothing succeeds, and no
   * text is null.
   */
  private static final Set<String> OTHERWISE =
      Set.of(
          "setBytes[int, ByteBuf] with 0",
          "setCharSequence[int, CharSequence, Charset] with 0",
          "writeCharSequence[CharSequence, Charset] with 0",
          "getCharSequence[int, int, Charset] with 0",
          "indexOf[int, int, byte] with 1",
          "bytesBefore[int, int, byte] with 1",
          "internalNioBuffer[int, int] with 1");

  private static Object argument(Class<?> type, int number, boolean ours) {
    if (type == int.class) {
      return number;
    } else if (type == byte[].class) {
      return new byte[number];
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(number);
    } else if (type == ByteBuf.class || type == io.netty.buffer.ByteBuf.class) {
      return ours
          ? Unpooled.buffer(number, 1).writeZero(number)
          : io.netty.buffer.Unpooled.buffer(number, 1).writeZero(number);
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type == CharSequence.class) {
      return "a".repeat(number);
    } else if (type == ByteOrder.class) {
      return number == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    } else if (type == OutputStream.class) {
      return new ByteArrayOutputStream();
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[2]);
    } else if (type == boolean.class) {
      return false;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == float.class) {
      return 1f;
    }
    return type == double.class ? 1d : null;
  }

  private static Method netty(Method ours) {
    Class<?>[] types =
        Arrays.stream(ours.getParameterTypes())
            .map(type -> type == ByteBuf.class ? io.netty.buffer.ByteBuf.class : type)
            .toArray(Class<?>[]::new);
    try {
      return io.netty.buffer.ByteBuf.class.getMethod(ours.getName(), types);
    } catch (NoSuchMethodException onlyOurs) {
      return null;
    }
  }

  private static String call(Method method, Object buffer, int number, boolean ours) {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> argument(type, number, ours))
            .toArray();
    MethodPair.Outcome outcome = MethodPair.call(method, buffer, arguments);
    return outcome.value() == buffer ? "this" : outcome.comparable();
  }

  private static String name(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  @Test
  void behavesAsNettysEmptyBuffer() {
    // Netty's empty buffers share one NIO buffer; a swapped view may have changed its order.
    io.netty.buffer.Unpooled.EMPTY_BUFFER.nioBuffer().order(ByteOrder.BIG_ENDIAN);
    Set<String> differences = new TreeSet<>();
    int compared = 0;
    for (Method method : ByteBuf.class.getMethods()) {
      Method theirs = method.isBridge() ? null : netty(method);
      if (theirs == null
          || method.getDeclaringClass() == Object.class
          || NOT_COMPARED.contains(method.getName())
          || name(method).contains("Channel")) {
        continue;
      }
      for (int number : new int[] {0, 1}) {
        if (OTHERWISE.contains(name(method) + " with " + number)) {
          continue;
        }
        String expected = call(theirs, io.netty.buffer.Unpooled.EMPTY_BUFFER, number, false);
        String found = call(method, Unpooled.EMPTY_BUFFER, number, true);
        compared++;
        if (!found.equals(expected)) {
          differences.add(name(method) + " with " + number + ": " + expected + " / " + found);
        }
      }
    }
    assertThat(compared).isGreaterThan(300);
    assertThat(differences).as("what Netty does / what we do").isEmpty();
  }

  @Test
  void hasAnArrayANioBufferAndAnAddress() {
    ByteBuf empty = new EmptyByteBuf(UnpooledByteBufAllocator.DEFAULT);
    assertThat(empty.hasArray()).isTrue();
    assertThat(empty.array()).isEmpty();
    assertThat(empty.arrayOffset()).isZero();
    assertThat(empty.hasMemoryAddress()).isTrue();
    assertThat(empty.memoryAddress()).isNotZero();
    assertThat(empty.isDirect()).isTrue();
    assertThat(empty.nioBuffer().remaining()).isZero();
    assertThat(empty.nioBuffer(0, 0).isDirect()).isTrue();
    assertThat(empty.nioBufferCount()).isEqualTo(1);
    assertThat(empty.nioBuffers()).hasSize(1);
    assertThat(empty.alloc()).isSameAs(UnpooledByteBufAllocator.DEFAULT);
    assertThatThrownBy(() -> new EmptyByteBuf(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void isSharedAndNeverReleased() {
    ByteBuf empty = Unpooled.EMPTY_BUFFER;
    assertThat(empty.release()).isFalse();
    assertThat(empty.retain().release(5)).isFalse();
    assertThat(empty.refCnt()).isEqualTo(1);
    for (ByteBuf same :
        new ByteBuf[] {
          empty.slice(), empty.duplicate(), empty.copy(), empty.readBytes(0), empty.slice(0, 0)
        }) {
      assertThat(same).isSameAs(empty);
    }
    ByteBuf readOnly = empty.asReadOnly();
    assertThat(readOnly.isReadOnly()).isTrue();
    assertThat(readOnly.release()).isFalse();
    assertThat(readOnly.refCnt()).isEqualTo(1);
  }

  @Test
  void isNotFreedThroughItsViewsAndWrappers() {
    ByteBuf empty = Unpooled.EMPTY_BUFFER;
    ByteBuf little = empty.order(ByteOrder.LITTLE_ENDIAN);
    for (ByteBuf view :
        new ByteBuf[] {
          empty.asReadOnly(),
          little.asReadOnly(),
          empty.asReadOnly().slice(),
          empty.asReadOnly().order(ByteOrder.LITTLE_ENDIAN).duplicate(),
          Unpooled.unreleasableBuffer(empty.asReadOnly()),
          Unpooled.unreleasableBuffer(empty).asReadOnly().order(ByteOrder.LITTLE_ENDIAN),
          Unpooled.wrappedUnmodifiableBuffer(empty),
          empty.readRetainedSlice(0).asReadOnly()
        }) {
      for (ByteBuf inner = view; inner != null; inner = inner.unwrap()) {
        assertThat(inner.retain(3).release()).isFalse();
        assertThat(inner.release(9)).isFalse();
        assertThat(inner.refCnt()).isEqualTo(1);
      }
    }
    assertThat(empty.getBytes(0, new byte[0]).refCnt()).isEqualTo(1);
    assertThat(empty.asReadOnly().getBytes(0, new byte[0]).isReadOnly()).isTrue();
  }

  @Test
  void equalsUnreadableBuffers() {
    ByteBuf empty = Unpooled.EMPTY_BUFFER;
    ByteBuf other = Unpooled.buffer(8);
    assertThat(empty.equals(other)).isTrue();
    assertThat(other.equals(empty)).isTrue();
    assertThat(empty).hasSameHashCodeAs(other);
    assertThat(empty.equals(new EmptyByteBuf(PooledByteBufAllocator.DEFAULT))).isTrue();
    ByteBuf little = empty.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(little.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(little.equals(empty)).isTrue();
    assertThat(little).hasToString("EmptyByteBufLE");
    assertThat(empty).hasToString("EmptyByteBufBE");
    other.writeByte(1);
    assertThat(empty.equals(other)).isFalse();
    assertThat(empty.compareTo(other)).isNegative();
    assertThat(other.compareTo(empty)).isPositive();
    other.release();
  }

  @Test
  void anAllocatorReturnsItForAFixedCapacityOfZero() {
    for (ByteBufAllocator allocator :
        new ByteBufAllocator[] {TestAllocators.POOLED, TestAllocators.UNPOOLED}) {
      assertThat(allocator.heapBuffer(0, 0)).isInstanceOf(EmptyByteBuf.class);
      assertThat(allocator.directBuffer(0, 0)).isSameAs(allocator.heapBuffer(0, 0));
      assertThat(allocator.buffer(0, 0).alloc()).isSameAs(allocator);
      ByteBuf grows = allocator.buffer(0, 1).writeByte(1);
      assertThat(grows.readByte()).isEqualTo((byte) 1);
      grows.release();
    }
  }

  @Test
  void theUnreleasableEmptyBufferKeepsItsProperties() {
    ByteBuf shared = Unpooled.unreleasableBuffer(Unpooled.EMPTY_BUFFER);
    assertThat(shared.isReadable(0)).isFalse();
    assertThat(shared.isWritable(0)).isFalse();
    assertThat(shared.hasMemoryAddress()).isTrue();
    assertThat(shared.memoryAddress()).isNotZero();
    assertThat(shared.isDirect()).isTrue();
    assertThat(Unpooled.EMPTY_BUFFER.nioBuffer()).isNotSameAs(Unpooled.EMPTY_BUFFER.nioBuffer());
    assertThat(Unpooled.EMPTY_BUFFER.nioBuffers()[0])
        .isNotSameAs(Unpooled.EMPTY_BUFFER.nioBuffers()[0]);
  }
}
