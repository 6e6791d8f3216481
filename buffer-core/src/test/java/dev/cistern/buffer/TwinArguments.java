/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ByteProcessor;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The arguments of calls, in equal pairs. The type and the name of the parameter select them: most
 * are sensible, many are edge cases, and a few are invalid or null.
 */
final class TwinArguments {
  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.ISO_8859_1,
          StandardCharsets.US_ASCII,
          StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE);

  private static final TwinKind[] ARGUMENT_KINDS = {
    TwinKind.UNPOOLED_HEAP,
    TwinKind.UNPOOLED_DIRECT,
    TwinKind.POOLED_HEAP,
    TwinKind.POOLED_DIRECT,
    TwinKind.SLICE_OF_HEAP,
    TwinKind.SLICE_OF_SLICE,
    TwinKind.READ_ONLY_HEAP,
    TwinKind.READ_ONLY_POOLED,
    TwinKind.SWAPPED_DIRECT,
    TwinKind.COMPOSITE,
    TwinKind.SLICE_OF_COMPOSITE,
    TwinKind.FIXED_COMPOSITE,
    TwinKind.EMPTY,
    TwinKind.WRAPPED_READ_ONLY_DIRECT_NIO,
    TwinKind.UNRELEASABLE_HEAP
  };

  /** Limit of the capacity that a call requests of a buffer without a maximum. */
  private static final int MAX_GROWTH = 4000;

  private final SplittableRandom random;
  private final TwinFiles files;

  TwinArguments(SplittableRandom random, TwinFiles files) {
    this.random = random;
    this.files = files;
  }

  /**
   * Returns the arguments of a call on {@code twin}, or of a static call if {@code twin} is null.
   */
  Both[] of(Method ours, Twin twin) {
    Parameter[] parameters = ours.getParameters();
    Both[] arguments = new Both[parameters.length];
    boolean isOfTwin = MethodPair.isStatic(ours);
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = parameters[i].getType();
      if (isOfTwin && type == ByteBuf.class) {
        arguments[i] = twin.both(); // the buffer that a static function uses
        isOfTwin = false;
      } else {
        arguments[i] = any(type, parameters[i].getName(), ours, twin);
      }
    }
    return arguments;
  }

  private Both any(Class<?> type, String name, Method method, Twin twin) {
    if (type == int.class) {
      return Both.same(anyInt(name, method, twin));
    } else if (type == long.class) {
      return Both.same(name.equals("position") ? anyPosition() : random.nextLong());
    } else if (type == byte.class) {
      return Both.same((byte) random.nextInt(-2, 3));
    } else if (type == short.class) {
      return Both.same((short) random.nextInt());
    } else if (type == char.class) {
      return Both.same((char) random.nextInt(0x180));
    } else if (type == boolean.class) {
      return Both.same(random.nextBoolean());
    } else if (type == float.class) {
      return Both.same((float) random.nextDouble());
    } else if (type == double.class) {
      return Both.same(random.nextDouble());
    } else if (random.nextInt(60) == 0) {
      return Both.same(null);
    }
    return anyObject(type, method, twin);
  }

  private Both anyObject(Class<?> type, Method method, Twin twin) {
    if (type == ByteBuf.class) {
      return anyBuffer(grows(method) ? null : twin);
    } else if (type == byte[].class) {
      byte[] bytes = anyBytes();
      return new Both(bytes, bytes.clone());
    } else if (type == ByteBuffer.class) {
      return anyNioBuffer();
    } else if (type == ByteOrder.class) {
      return Both.same(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    } else if (type == Charset.class) {
      return Both.same(CHARSETS.get(random.nextInt(CHARSETS.size())));
    } else if (type == CharBuffer.class) {
      String text = anyText();
      return new Both(CharBuffer.wrap(text), CharBuffer.wrap(text));
    } else if (type == CharSequence.class || type == String.class) {
      return anySequence(type);
    } else if (type == ByteProcessor.class) {
      byte stop = (byte) random.nextInt(-2, 3);
      io.netty.util.ByteProcessor theirs = value -> value != stop;
      ByteProcessor ours = value -> value != stop;
      return new Both(theirs, ours);
    } else if (type == Object.class) {
      return random.nextInt(3) == 0 ? Both.same("some object") : anyBuffer(twin);
    }
    return anyMore(type, method, twin);
  }

  private Both anyMore(Class<?> type, Method method, Twin twin) {
    if (type == InputStream.class) {
      return TwinStream.random(anyBytes(), random);
    } else if (type == OutputStream.class) {
      return new Both(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    } else if (type == FileChannel.class) {
      return files.fresh(anyBytes());
    } else if (type == GatheringByteChannel.class || type == ScatteringByteChannel.class) {
      byte[] bytes = anyBytes();
      return new Both(new MemoryChannel(bytes), new MemoryChannel(bytes));
    } else if (type == ByteBufAllocator.class) {
      // Results of a static function from a pooled allocator have retained views, which Netty
      // counts separately.
      boolean isPooled = !MethodPair.isStatic(method) && random.nextBoolean();
      return isPooled ? TwinKind.POOLED_ALLOCATOR : TwinKind.UNPOOLED_ALLOCATOR;
    } else if (type == StringBuilder.class) {
      return new Both(builder("> "), builder("> "));
    } else if (type.getSimpleName().equals("AsciiString")) {
      return asciiString(anyAscii());
    } else if (type == Iterable.class) {
      return anyIterable();
    } else if (type.isArray() && !type.getComponentType().isPrimitive()) {
      return anyArray(type.getComponentType(), method, twin);
    } else if (type == char[].class) {
      char[] chars = anyText().toCharArray();
      return new Both(chars, chars.clone());
    }
    return anyNumbers(type, method, twin);
  }

  private Both anyNumbers(Class<?> type, Method method, Twin twin) {
    if (type.isArray() && type.getComponentType().isPrimitive()) {
      Object numbers = java.lang.reflect.Array.newInstance(type.getComponentType(), 3);
      for (int i = 0; i < 3; i++) {
        Both number = any(type.getComponentType(), "value", method, twin);
        java.lang.reflect.Array.set(numbers, i, number.ours());
      }
      return Both.same(numbers);
    }
    throw new AssertionError("no arguments of " + type + " for " + method);
  }

  private static StringBuilder builder(String text) {
    return new StringBuilder(text);
  }

  private Both anyArray(Class<?> component, Method method, Twin twin) {
    Both[] elements = new Both[random.nextInt(5)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = any(component, "element", method, component == ByteBuf.class ? null : twin);
    }
    Object theirs = java.lang.reflect.Array.newInstance(theirType(component), elements.length);
    Object ours = java.lang.reflect.Array.newInstance(component, elements.length);
    for (int i = 0; i < elements.length; i++) {
      java.lang.reflect.Array.set(theirs, i, elements[i].theirs());
      java.lang.reflect.Array.set(ours, i, elements[i].ours());
    }
    return new Both(theirs, ours);
  }

  private static Class<?> theirType(Class<?> ours) {
    String name = ours.getName();
    String root = "dev.cistern.";
    return name.startsWith(root) ? Both.their(name.substring(root.length())) : ours;
  }

  private Both anyIterable() {
    List<Object> theirs = new ArrayList<>();
    List<Object> ours = new ArrayList<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      Both element = random.nextInt(60) == 0 ? Both.same(null) : anyBuffer(null);
      theirs.add(element.theirs());
      ours.add(element.ours());
    }
    return new Both(theirs, ours);
  }

  /** Returns a new buffer, or sometimes the called buffer or a view of it. */
  Both anyBuffer(Twin twin) {
    boolean canBeItself = twin != null && twin.ours().refCnt() > 0 && !twin.isCountedByItself();
    if (canBeItself && random.nextInt(40) == 0) {
      return random.nextBoolean() ? twin.both() : twin.both().call("buffer.ByteBuf", "duplicate");
    }
    TwinKind kind = ARGUMENT_KINDS[random.nextInt(ARGUMENT_KINDS.length)];
    byte[] bytes = anyBytes();
    // An equal buffer makes comparisons useful.
    if (twin != null && twin.ours().refCnt() > 0 && random.nextInt(8) == 0) {
      byte[] readable = Twin.bytes(twin.ours());
      bytes = Arrays.copyOf(readable, Math.min(readable.length, TwinKind.MAX_CAPACITY / 2));
    }
    Twin other = kind.twin(bytes, random);
    if (random.nextBoolean() && kind != TwinKind.EMPTY) {
      int writerIndex = random.nextInt(bytes.length + 1);
      int readerIndex = random.nextInt(writerIndex + 1);
      other.theirs().setIndex(readerIndex, writerIndex);
      other.ours().setIndex(readerIndex, writerIndex);
    }
    return other.both();
  }

  private Both anyNioBuffer() {
    byte[] bytes = anyBytes();
    int offset = random.nextInt(3);
    boolean direct = random.nextBoolean();
    boolean readOnly = random.nextInt(4) == 0;
    boolean little = random.nextInt(4) == 0;
    ByteBuffer[] buffers = new ByteBuffer[2];
    for (int i = 0; i < buffers.length; i++) {
      int room = bytes.length + offset;
      ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
      buffer.position(offset).put(bytes).flip().position(offset);
      buffer = offset == 2 ? buffer.slice() : buffer;
      buffer = readOnly ? buffer.asReadOnlyBuffer() : buffer;
      buffers[i] = buffer.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    }
    return new Both(buffers[0], buffers[1]);
  }

  private static boolean grows(Method method) {
    return method
        .getName()
        .matches(
            "(write|add).*|ensureWritable|capacity|.*[wW]riteUtf8|buffer|directBuffer|readBytes");
  }

  private int anyInt(String name, Method method, Twin twin) {
    if (name.equals("value") || name.equals("i")) {
      return random.nextInt(4) == 0 ? random.nextInt(-3, 4) : random.nextInt();
    } else if (name.equals("increment") || name.equals("decrement")) {
      int[] counts = {1, 1, 1, 2, 2, 3, 0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
      return counts[random.nextInt(counts.length)];
    }
    if (name.matches("cIndex|.*[nN]umComponents|components")) {
      return random.nextInt(-1, 8);
    }
    int index = anyIndex(twin);
    if (MethodPair.isStatic(method) && index > MAX_GROWTH) {
      // So large that Netty's allocation before its range check always fails.
      index = Integer.MAX_VALUE;
    }
    boolean grows = grows(method);
    boolean isLimited =
        !MethodPair.isStatic(method) && twin.ours().maxCapacity() <= TwinKind.MAX_CAPACITY;
    return grows && !isLimited ? Math.min(index, MAX_GROWTH) : index;
  }

  /**
   * Returns an index that is mostly within the buffer, often at an edge, and sometimes far outside.
   */
  private int anyIndex(Twin twin) {
    int capacity = twin == null ? 20 : Math.min(twin.ours().capacity(), TwinKind.MAX_CAPACITY);
    int choice = random.nextInt(100);
    if (choice < 60) {
      return random.nextInt(0, capacity / 4 + 2);
    } else if (choice < 80) {
      return random.nextInt(-1, capacity + 2);
    } else if (choice < 90 && twin != null) {
      ByteBuf ours = twin.ours();
      int[] edges = {
        ours.readerIndex(),
        ours.writerIndex(),
        ours.readableBytes(),
        ours.writableBytes(),
        Math.min(ours.maxWritableBytes(), MAX_GROWTH),
        capacity,
        TwinKind.MAX_CAPACITY
      };
      return edges[random.nextInt(edges.length)];
    } else if (choice < 96) {
      return random.nextInt(0, capacity + 30);
    }
    int[] nonsense = {-1, -1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, random.nextInt()};
    return nonsense[random.nextInt(nonsense.length)];
  }

  private long anyPosition() {
    long[] positions = {0, 0, 1, 5, 30, 1000, -1, Long.MIN_VALUE};
    return positions[random.nextInt(positions.length)];
  }

  byte[] anyBytes() {
    byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(20)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(-2, 3) : random.nextInt());
    }
    return bytes;
  }

  private Both anySequence(Class<?> type) {
    String text = anyText();
    int choice = type == String.class ? 9 : random.nextInt(10);
    if (choice == 0) {
      return new Both(builder(text), builder(text));
    } else if (choice <= 2) {
      return asciiString(anyAscii());
    }
    return Both.same(text);
  }

  /** Returns equal ASCII strings, at some offset of their arrays. */
  Both asciiString(String text) {
    byte[] bytes = ("^^" + text + "$").getBytes(StandardCharsets.ISO_8859_1);
    return Both.construct("util.AsciiString", bytes, 2, text.length(), true);
  }

  private String anyAscii() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append((char) random.nextInt(32, random.nextInt(8) == 0 ? 256 : 127));
    }
    return text.toString();
  }

  /** Returns a text: similar letters, so that searches succeed; a number; or any characters. */
  private String anyText() {
    int choice = random.nextInt(8);
    if (choice == 0) {
      return String.valueOf(random.nextInt(-100, 70_000));
    } else if (choice == 1) {
      String[] hex = {"00ff", "0aF", "CAFEBABE", "0x12", "g0", "", "1 2", " a,B , c "};
      return hex[random.nextInt(hex.length)];
    }
    StringBuilder text = new StringBuilder();
    int limit = choice <= 4 ? 'e' : choice == 5 ? 256 : choice == 6 ? 0x900 : 0x10000;
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append((char) random.nextInt(choice <= 4 ? (choice == 2 ? 'A' : 'a') : 32, limit));
    }
    return text.toString();
  }

  /**
   * Returns the difference of the two sets of arguments after a call, or null; ignores {@code
   * twin}.
   */
  static String difference(Both[] arguments, Twin twin) {
    for (Both argument : arguments) {
      if (argument.theirs() == argument.ours() || argument.ours() == twin.ours()) {
        continue; // text, charsets, and other stateless values
      }
      String theirs = shown(argument.theirs());
      String ours = shown(argument.ours());
      if (!theirs.equals(ours)) {
        return "theirs " + theirs + ", ours " + ours;
      }
    }
    return null;
  }

  private static String shown(Object argument) {
    if (argument instanceof ByteBufAllocator
        || argument instanceof io.netty.buffer.ByteBufAllocator
        || argument instanceof ByteProcessor
        || argument instanceof io.netty.util.ByteProcessor) {
      return "";
    }
    return argument instanceof FileChannel file ? TwinFiles.show(file) : Shown.of(argument);
  }

  /** Releases the buffers among the arguments, except for {@code twin} and its views. */
  static void free(Both[] arguments, Twin twin) {
    List<Both> buffers = new ArrayList<>();
    addBuffers(arguments, buffers);
    for (Both buffer : buffers) {
      if (!isViewOf(buffer.ours(), twin)) {
        Twin.free(buffer);
      }
    }
  }

  /** Adds the buffers among the arguments, including those in arrays and lists. */
  static void addBuffers(Both[] arguments, List<Both> buffers) {
    for (Both argument : arguments) {
      if (argument.ours() instanceof ByteBuf) {
        buffers.add(argument);
      } else if (argument.ours() instanceof ByteBuf[] ours) {
        io.netty.buffer.ByteBuf[] theirs = (io.netty.buffer.ByteBuf[]) argument.theirs();
        for (int i = 0; i < ours.length; i++) {
          buffers.add(new Both(theirs[i], ours[i]));
        }
      } else if (argument.ours() instanceof List<?> ours) {
        List<?> theirs = (List<?>) argument.theirs();
        for (int i = 0; i < ours.size(); i++) {
          buffers.add(new Both(theirs.get(i), ours.get(i)));
        }
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same object
  static boolean isViewOf(Object value, Twin twin) {
    return value instanceof ByteBuf buffer && root(buffer) == root(twin.ours());
  }

  /** Returns the root of a chain of views. */
  static ByteBuf root(ByteBuf buffer) {
    ByteBuf root = buffer;
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    return root;
  }

  /**
   * Returns whether there is nothing to transfer; the libraries then check the other arguments in
   * different orders.
   */
  static boolean isEmpty(Both[] arguments) {
    for (Both argument : arguments) {
      if ((argument.ours() instanceof byte[] bytes && bytes.length == 0)
          || (argument.ours() instanceof ByteBuf buffer && !buffer.isReadable())
          || (argument.ours() instanceof ByteBuffer buffer && !buffer.hasRemaining())) {
        return true;
      }
    }
    return arguments.length > 0
        && Integer.valueOf(0).equals(arguments[arguments.length - 1].ours());
  }

  static Object[] theirs(Both[] arguments) {
    return Arrays.stream(arguments).map(Both::theirs).toArray();
  }

  static Object[] ours(Both[] arguments) {
    return Arrays.stream(arguments).map(Both::ours).toArray();
  }
}
