/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import dev.cistern.util.ByteProcessor;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;

/** Tests that every method that accesses memory refuses a released buffer. */
@Tag("B4")
@Tag("B6")
@Tag("B7")
class ReleasedBufferTest {
  /**
   * Methods that return properties of the object, and do not access its bytes: they work and do no
   * harm.
   */
  private static final Set<String> TOUCH_NOTHING =
      Set.of(
          "alloc",
          "order",
          "unwrap",
          "asByteBuf",
          "isContiguous",
          "isDirect",
          "isReadOnly",
          "capacity()",
          "maxCapacity",
          "readerIndex",
          "writerIndex",
          "setIndex",
          "clear",
          "readableBytes",
          "writableBytes",
          "maxWritableBytes",
          "maxFastWritableBytes",
          "isReadable",
          "isWritable",
          "markReaderIndex",
          "markWriterIndex",
          "resetReaderIndex",
          "resetWriterIndex",
          "hasArray",
          "hasMemoryAddress",
          "nioBufferCount",
          "refCnt",
          "touch",
          "toString()",
          "indexOf", // finds nothing in a released heap buffer, whose capacity is 0
          "bytesBefore",
          "equals");

  private static Object argument(Class<?> type) {
    if (type == int.class) {
      return 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == boolean.class) {
      return true;
    } else if (type == float.class) {
      return 1f;
    } else if (type == double.class) {
      return 1d;
    } else if (type == byte[].class) {
      return new byte[2];
    } else if (type == ByteBuf.class) {
      return OTHER;
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(2);
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type == CharSequence.class) {
      return "x";
    } else if (type == ByteProcessor.class) {
      return ByteProcessor.FIND_NUL;
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[2]);
    } else if (type == OutputStream.class) {
      return OutputStream.nullOutputStream();
    } else if (type == GatheringByteChannel.class || type == ScatteringByteChannel.class) {
      return new MemoryChannel(new byte[2]);
    } else if (type == FileChannel.class) {
      return null; // the call fails before it uses the channel
    }
    throw new AssertionError("no argument of " + type);
  }

  private static final ByteBuf OTHER =
      new UnpooledByteBufAllocator(false).heapBuffer(8).writerIndex(4);

  private static boolean touchesMemory(Method method) {
    String name = method.getName();
    return method.getDeclaringClass() != Object.class
        && !method.isBridge()
        && !Modifier.isStatic(method.getModifiers())
        && !TOUCH_NOTHING.contains(name)
        && !TOUCH_NOTHING.contains(name + (method.getParameterCount() == 0 ? "()" : "(..)"));
  }

  private static Throwable thrownBy(Method method, ByteBuf buffer) throws IllegalAccessException {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(method.getParameterTypes()[i]);
    }
    try {
      method.invoke(buffer, arguments);
      return null;
    } catch (InvocationTargetException thrown) {
      return thrown.getCause();
    }
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void everyMethodThatTouchesMemoryRefuses(BufferKind kind) throws IllegalAccessException {
    ByteBuf buffer = kind.buffer(16).writerIndex(12).readerIndex(2);
    boolean hasArray = buffer.hasArray();
    boolean hasAddress = buffer.hasMemoryAddress();
    assertThat(buffer.release()).isTrue();
    Set<String> wrong = new TreeSet<>();
    int tried = 0;
    for (Method method : ByteBuf.class.getMethods()) {
      if (!touchesMemory(method)
          || (method.getName().startsWith("array") && !hasArray)
          || (method.getName().equals("memoryAddress") && !hasAddress)) {
        continue;
      }
      OTHER.setIndex(0, 4);
      tried++;
      Throwable thrown = thrownBy(method, buffer);
      if (!(thrown instanceof IllegalReferenceCountException)) {
        wrong.add(method.getName() + ": " + thrown);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThan(150);
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void copiesAndDumpsOfItAreRefusedAsAccessesAre(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    buffer.release();
    assertThatThrownBy(() -> ByteBufUtil.getBytes(buffer, 0, 16))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> ByteBufUtil.prettyHexDump(buffer, 0, 16))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void canStillBeShown(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    buffer.release();
    assertThat(buffer.toString()).contains("freed");
    assertThat(buffer.refCnt()).isZero();
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void refusesToBeReleasedOrRetainedAgain(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    buffer.release();
    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.retain(7)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.release(2)).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(buffer.refCnt()).isZero();
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void countsItsHolders(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(buffer.retain()).isSameAs(buffer);
    buffer.retain(3);
    assertThat(buffer.refCnt()).isEqualTo(5);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release(3)).isFalse();
    assertThatThrownBy(() -> buffer.retain(Integer.MAX_VALUE))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.release(2)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.retain(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffer.release(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(buffer.release()).isTrue();
  }
}
