/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cistern.util.ByteProcessor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same random sequence of calls on Netty 4.1's buffer and on ours: values, indices, bytes and
 * the types of exceptions must be the same (seed rows B1, B2, B8, B9, C1, C2). Methods are found by
 * reflection, so that a new one is driven too. A run is repeated by {@code -Dcistern.seed}.
 */
@Tag("B1")
@Tag("B2")
@Tag("B8")
@Tag("B9")
@Tag("C1")
@Tag("C2")
@ExtendWith(PoolCheck.class)
class DifferentialTest {
  private static final boolean LONG = Boolean.getBoolean("cistern.long");
  private static final int OPERATIONS = LONG ? 2_000_000 : 92_000; // times 11 kinds
  private static final int OPERATIONS_PER_BUFFER = 200;
  private static final int MAX_CAPACITY = 2000;
  private static final int MOST_BYTES_PER_CHAR = 3;

  /**
   * Not driven, or not compared: what each library answers for itself (who allocated, where the
   * memory is, how it is shown), and what ends the buffer's life.
   */
  private static final Set<String> OWN_AFFAIR =
      Set.of(
          "alloc",
          "order",
          "unwrap",
          "asByteBuf",
          "isContiguous",
          "maxFastWritableBytes",
          "array",
          "arrayOffset",
          "hasArray",
          "memoryAddress",
          "hasMemoryAddress",
          "isDirect",
          "release",
          "refCnt",
          "touch",
          "equals",
          "nioBufferCount",
          "retain");

  /** With Netty these move the writer index of a read-only buffer, or even write its bytes. */
  private static final Set<String> REFUSED_LATE =
      Set.of("writeByte", "writeBoolean", "writeCharSequence", "setCharSequence");

  /** Without ASCII: bytes above 127 become U+FFFD with us, as in the JDK, but not with Netty. */
  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16);

  private record Pair(Method theirs, Method ours) {}

  private static final List<Pair> METHODS = methods();

  private SplittableRandom random;
  private String run;

  private static List<Pair> methods() {
    List<Pair> pairs = new ArrayList<>();
    for (Method method : ByteBuf.class.getMethods()) {
      if (method.getDeclaringClass() == Object.class
          || method.isBridge()
          || Modifier.isStatic(method.getModifiers())
          || OWN_AFFAIR.contains(method.getName())
          || List.of(method.getParameterTypes()).contains(FileChannel.class) // ChannelTest
          || (method.getName().equals("toString") && method.getParameterCount() == 0)) {
        continue;
      }
      try {
        Class<?>[] types =
            Arrays.stream(method.getParameterTypes())
                .map(DifferentialTest::nettyType)
                .toArray(Class<?>[]::new);
        pairs.add(
            new Pair(io.netty.buffer.ByteBuf.class.getMethod(method.getName(), types), method));
      } catch (NoSuchMethodException missing) {
        throw new AssertionError("Netty has no " + method, missing);
      }
    }
    pairs.sort(Comparator.comparing(pair -> pair.ours().toString()));
    return pairs;
  }

  private static Class<?> nettyType(Class<?> type) {
    if (type == ByteBuf.class) {
      return io.netty.buffer.ByteBuf.class;
    }
    return type == ByteProcessor.class ? io.netty.util.ByteProcessor.class : type;
  }

  @ParameterizedTest
  @EnumSource(BufferKind.class)
  void behavesAsNettysBuffer(BufferKind kind) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    run = "seed " + seed + ", " + kind;
    System.out.println(run);
    random = new SplittableRandom(seed);
    for (int done = 0; done < OPERATIONS; done += OPERATIONS_PER_BUFFER) {
      int capacity = random.nextInt(0, 300);
      Twin twin = twin(kind, capacity);
      drive(twin, OPERATIONS_PER_BUFFER, 0);
      assertThat(twin.ours().release()).as(run).isEqualTo(twin.theirs().release());
    }
  }

  private Twin twin(BufferKind kind, int capacity) {
    ByteBuf ours = kind.buffer(capacity, MAX_CAPACITY);
    io.netty.buffer.UnpooledByteBufAllocator theirAllocator =
        io.netty.buffer.UnpooledByteBufAllocator.DEFAULT;
    io.netty.buffer.ByteBuf theirs =
        kind.isDirect()
            ? theirAllocator.directBuffer(capacity, MAX_CAPACITY)
            : theirAllocator.heapBuffer(capacity, MAX_CAPACITY);
    theirs.setZero(0, capacity);
    if (!kind.canGrow()) {
      theirs = theirs.slice(0, capacity).setIndex(0, 0);
    }
    return new Twin(theirs, ours);
  }

  private void drive(Twin twin, int operations, int depth) {
    for (int i = 0; i < operations; i++) {
      Pair pair = METHODS.get(random.nextInt(METHODS.size()));
      step(twin, pair, depth);
    }
  }

  private void step(Twin twin, Pair pair, int depth) {
    int capacityBefore = twin.ours().capacity();
    Arguments arguments = new Arguments(twin, pair.ours());
    if (isFaultOfTheirs(twin, pair.ours(), arguments, depth)) {
      arguments.release();
      return;
    }
    String call = run + ": " + arguments + " on " + twin.ours();
    Twin.Outcome theirs = Twin.call(pair.theirs(), twin.theirs(), arguments.theirs);
    Twin.Outcome ours = Twin.call(pair.ours(), twin.ours(), arguments.ours);
    if (isMarkBelowZero(theirs)) {
      twin.theirs()
          .setIndex(twin.ours().readerIndex(), twin.ours().writerIndex())
          .markWriterIndex();
      twin.ours().markWriterIndex();
      return;
    }
    if (!same(pair.ours(), theirs, ours) && !(ours.thrown() != null && arguments.isEmpty())) {
      fail(call + "\n theirs: " + theirs + "\n ours:   " + ours, ours.thrown());
    }
    String sideEffect = arguments.difference();
    if (sideEffect != null) {
      fail(call + ": arguments differ after it: " + sideEffect);
    }
    twin.level(capacityBefore);
    String difference = twin.difference();
    if (difference != null) {
      fail(call + ": " + difference);
    }
    follow(twin, theirs, ours, depth);
    arguments.release();
    difference = twin.difference();
    if (difference != null) {
      fail("after the view of " + call + ": " + difference);
    }
  }

  /** What Netty gets wrong by its own contract, and we do not copy. */
  private static boolean isFaultOfTheirs(Twin twin, Method method, Arguments arguments, int depth) {
    String name = method.getName();
    Object[] given = arguments.ours;
    ByteBuf buffer = twin.ours();
    if (buffer.isReadOnly() && REFUSED_LATE.contains(name)) {
      return true;
    } else if (name.equals("readCharSequence")) {
      int length = (int) given[0]; // not checked against the writer index
      return length < 0 || length > buffer.readableBytes();
    } else if (given.length == 3 && given[2] instanceof Charset && given[1] instanceof Integer) {
      return isOutside(buffer, (int) given[0], (int) given[1]); // not always checked
    } else if (given.length == 3 && given[1] instanceof MemoryChannel) {
      return (int) given[2] < 0; // a way to rewind a NIO buffer
    } else if (name.equals("capacity") && given.length == 1) {
      // leaves the indices of views beyond the capacity
      int least = depth > 0 ? buffer.capacity() : buffer.writerIndex();
      return buffer.unwrap() != null && (int) given[0] < least;
    } else if (name.endsWith("lice") && given.length > 0) {
      return (int) given[given.length - 1] < 0; // this exception or that, by kind of buffer
    } else if (name.equals("writeCharSequence")) {
      // wants room for the longest encoding, not for the one at hand
      return buffer.maxWritableBytes() < MOST_BYTES_PER_CHAR * ((String) given[0]).length();
    } else if (name.equals("setCharSequence")) {
      int room = buffer.capacity() - MOST_BYTES_PER_CHAR * ((String) given[1]).length();
      return (int) given[0] > room;
    }
    return false;
  }

  /** Netty's marks may fall below 0 when read bytes are discarded; ours stop there. */
  private static boolean isMarkBelowZero(Twin.Outcome theirs) {
    return theirs.thrown() != null
        && String.valueOf(theirs.thrown().getMessage()).contains(", writerIndex: -");
  }

  private static boolean isOutside(ByteBuf buffer, int index, int length) {
    return index < 0 || length < 0 || (long) index + length > buffer.capacity();
  }

  private static boolean same(Method method, Twin.Outcome theirs, Twin.Outcome ours) {
    if (method.getName().equals("compareTo") && theirs.thrown() == null && ours.thrown() == null) {
      return Integer.signum((int) theirs.value()) == Integer.signum((int) ours.value());
    }
    boolean bothRefuse = theirs.thrown() != null && ours.thrown() != null;
    if (bothRefuse && theirs.thrown() instanceof ReadOnlyBufferException) {
      return true; // two things are wrong, and ours may name the other
    }
    return theirs.comparable().equals(ours.comparable());
  }

  /** A buffer that was returned is a view to go on with, or a copy to let go of. */
  @SuppressWarnings("ReferenceEquality") // the buffer itself is no view of it
  private void follow(Twin twin, Twin.Outcome theirs, Twin.Outcome ours, int depth) {
    if (!(ours.value() instanceof ByteBuf ourBuffer) || ourBuffer == twin.ours()) {
      return;
    }
    Twin returned = new Twin((io.netty.buffer.ByteBuf) theirs.value(), ourBuffer);
    boolean isView = ourBuffer.unwrap() != null;
    if (isView && depth < 2 && returned.difference() == null) {
      drive(returned, 5, depth + 1);
      // the view may have grown its root
      twin.level(Math.min(twin.theirs().capacity(), twin.ours().capacity()));
      if (twin.ours().writerIndex() > twin.ours().capacity()) { // or shrunk it
        twin.theirs().setIndex(0, 0);
        twin.ours().setIndex(0, 0);
      }
    }
    if (!isView || ourBuffer.refCnt() > 1) { // a copy, or a retained view
      ourBuffer.release();
      returned.theirs().release();
    }
  }

  /** The arguments of one call, in two equal sets. */
  private final class Arguments {
    private final String name;
    final Object[] theirs;
    final Object[] ours;

    Arguments(Twin twin, Method method) {
      name = method.getName();
      Class<?>[] types = method.getParameterTypes();
      theirs = new Object[types.length];
      ours = new Object[types.length];
      boolean isNumber = types.length > 0 && types[types.length - 1].isPrimitive();
      for (int i = 0; i < types.length; i++) {
        boolean isValue = isNumber && i == types.length - 1 && takesValue(name);
        fill(i, types[i], twin, isValue);
      }
    }

    private boolean takesValue(String method) {
      return (method.startsWith("set") || method.startsWith("write"))
          && !method.endsWith("Index")
          && !method.endsWith("Bytes")
          && !method.endsWith("Zero");
    }

    private void fill(int i, Class<?> type, Twin twin, boolean isValue) {
      if (type == int.class) {
        same(i, isValue ? random.nextInt() : anyIndex(twin));
      } else if (type == long.class) {
        same(i, random.nextLong());
      } else if (type == byte.class) {
        same(i, (byte) random.nextInt(-2, 3));
      } else if (type == boolean.class) {
        same(i, random.nextBoolean());
      } else if (type == float.class) {
        same(i, (float) random.nextDouble());
      } else if (type == double.class) {
        same(i, random.nextDouble());
      } else if (type == Charset.class) {
        same(i, CHARSETS.get(random.nextInt(CHARSETS.size())));
      } else if (CharSequence.class.isAssignableFrom(type)) {
        same(i, anyText());
      } else {
        fillObject(i, type);
      }
    }

    private void same(int i, Object value) {
      theirs[i] = value;
      ours[i] = value;
    }

    private void fillObject(int i, Class<?> type) {
      byte[] bytes = anyBytes();
      if (type == byte[].class) {
        theirs[i] = bytes;
        ours[i] = bytes.clone();
      } else if (type == ByteBuf.class) {
        fillBuffer(i, bytes);
      } else if (type == ByteBuffer.class) {
        fillByteBuffer(i, bytes);
      } else if (type == InputStream.class) {
        theirs[i] = new ByteArrayInputStream(bytes);
        ours[i] = new ByteArrayInputStream(bytes);
      } else if (type == OutputStream.class) {
        theirs[i] = new ByteArrayOutputStream();
        ours[i] = new ByteArrayOutputStream();
      } else if (type == GatheringByteChannel.class) {
        theirs[i] = new MemoryChannel(bytes);
        ours[i] = new MemoryChannel(bytes);
      } else if (type == ScatteringByteChannel.class) {
        theirs[i] = new MemoryChannel(bytes);
        ours[i] = new MemoryChannel(bytes);
      } else if (type == ByteProcessor.class) {
        byte stop = (byte) random.nextInt(-2, 3);
        theirs[i] = (io.netty.util.ByteProcessor) value -> value != stop;
        ours[i] = (ByteProcessor) value -> value != stop;
      } else {
        throw new AssertionError("no arguments of " + type);
      }
    }

    private void fillBuffer(int i, byte[] bytes) {
      boolean direct = random.nextBoolean();
      int spare = random.nextInt(10);
      Twin other =
          new Twin(
              direct
                  ? io.netty.buffer.Unpooled.directBuffer(bytes.length, bytes.length + spare)
                  : io.netty.buffer.Unpooled.buffer(bytes.length, bytes.length + spare),
              direct
                  ? TestAllocators.POOLED.directBuffer(bytes.length, bytes.length + spare)
                  : TestAllocators.POOLED.heapBuffer(bytes.length, bytes.length + spare));
      other.fill(bytes);
      int writerIndex = random.nextInt(bytes.length + 1);
      int readerIndex = random.nextInt(writerIndex + 1);
      other.theirs().setIndex(readerIndex, writerIndex);
      other.ours().setIndex(readerIndex, writerIndex);
      theirs[i] = other.theirs();
      ours[i] = other.ours();
    }

    private void fillByteBuffer(int i, byte[] bytes) {
      ByteBuffer heap = ByteBuffer.wrap(bytes.clone());
      ByteBuffer other = ByteBuffer.wrap(bytes.clone());
      int kind = random.nextInt(4);
      if (kind == 0) {
        heap = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        other = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      } else if (kind == 1) {
        heap = heap.asReadOnlyBuffer();
        other = other.asReadOnlyBuffer();
      } else if (kind == 2 && bytes.length > 2) {
        heap = heap.slice(1, bytes.length - 2);
        other = other.slice(1, bytes.length - 2);
      }
      theirs[i] = heap;
      ours[i] = other;
    }

    /** Mostly inside, often at an edge, sometimes far outside. */
    private int anyIndex(Twin twin) {
      int capacity = twin.ours().capacity();
      int choice = random.nextInt(100);
      if (choice < 60) {
        return random.nextInt(0, capacity / 4 + 2);
      } else if (choice < 80) {
        return random.nextInt(-1, capacity + 2);
      } else if (choice < 90) {
        int[] edges = {
          twin.ours().readerIndex(),
          twin.ours().writerIndex(),
          twin.ours().readableBytes(),
          twin.ours().writableBytes(),
          twin.ours().maxWritableBytes(),
          capacity,
          MAX_CAPACITY
        };
        return edges[random.nextInt(edges.length)];
      } else if (choice < 97) {
        return random.nextInt(0, MAX_CAPACITY + 10);
      }
      return choice == 97 ? Integer.MAX_VALUE : choice == 98 ? Integer.MIN_VALUE : random.nextInt();
    }

    private byte[] anyBytes() {
      byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(20)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(-2, 3) : random.nextInt());
      }
      return bytes;
    }

    private String anyText() {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++) {
        // Without surrogates: Netty writes some of them in ways of its own.
        text.append((char) random.nextInt(32, random.nextBoolean() ? 127 : 0xD800));
      }
      return text.toString();
    }

    /** Nothing to transfer: Netty then looks at the index in some kinds of buffer only. */
    boolean isEmpty() {
      for (Object argument : ours) {
        if ((argument instanceof byte[] bytes && bytes.length == 0)
            || (argument instanceof ByteBuf buffer && !buffer.isReadable())
            || (argument instanceof ByteBuffer buffer && !buffer.hasRemaining())) {
          return true;
        }
      }
      return ours.length > 0 && Integer.valueOf(0).equals(ours[ours.length - 1]);
    }

    /** What the call did to its arguments, where the two differ. */
    String difference() {
      for (int i = 0; i < ours.length; i++) {
        String shownTheirs = show(theirs[i]);
        String shownOurs = show(ours[i]);
        if (!shownTheirs.equals(shownOurs)) {
          return "theirs " + shownTheirs + ", ours " + shownOurs;
        }
      }
      return null;
    }

    private static String show(Object argument) {
      if (argument instanceof byte[] bytes) {
        return Arrays.toString(bytes);
      } else if (argument instanceof ByteBuf buffer) {
        return buffer.readerIndex() + "/" + buffer.writerIndex() + Arrays.toString(all(buffer));
      } else if (argument instanceof io.netty.buffer.ByteBuf buffer) {
        return buffer.readerIndex() + "/" + buffer.writerIndex() + Arrays.toString(all(buffer));
      } else if (argument instanceof ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        return buffer.position() + "/" + buffer.limit() + Arrays.toString(bytes);
      } else if (argument instanceof ByteArrayInputStream stream) {
        return "left " + stream.available();
      } else if (argument instanceof ByteArrayOutputStream stream) {
        return Arrays.toString(stream.toByteArray());
      } else if (argument instanceof MemoryChannel channel) {
        return channel.toString();
      }
      return "";
    }

    private static byte[] all(ByteBuf buffer) {
      byte[] bytes = new byte[buffer.capacity()];
      buffer.getBytes(0, bytes);
      return bytes;
    }

    private static byte[] all(io.netty.buffer.ByteBuf buffer) {
      byte[] bytes = new byte[buffer.capacity()];
      buffer.getBytes(0, bytes);
      return bytes;
    }

    void release() {
      for (int i = 0; i < ours.length; i++) {
        if (ours[i] instanceof ByteBuf buffer) {
          buffer.release();
          ((io.netty.buffer.ByteBuf) theirs[i]).release();
        }
      }
    }

    @Override
    public String toString() {
      List<Object> shown = new ArrayList<>();
      for (Object argument : ours) {
        String text = show(argument);
        shown.add(text.isEmpty() ? argument : text);
      }
      return name + shown;
    }
  }
}
