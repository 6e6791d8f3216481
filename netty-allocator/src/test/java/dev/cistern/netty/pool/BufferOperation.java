/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/**
 * An operation on a buffer. The result is a value to compare. The random numbers are the same for
 * both buffers, and sometimes out of bounds.
 */
public enum BufferOperation {
  SET_BYTE((b, r) -> b.setByte(at(b, r), r.nextInt()).getByte(0)),
  SET_SHORT((b, r) -> b.setShort(at(b, r), r.nextInt()).getShort(0)),
  SET_SHORT_LE((b, r) -> b.setShortLE(at(b, r), r.nextInt()).getShortLE(0)),
  SET_MEDIUM((b, r) -> b.setMedium(at(b, r), r.nextInt()).getMedium(0)),
  SET_MEDIUM_LE((b, r) -> b.setMediumLE(at(b, r), r.nextInt()).getMediumLE(0)),
  SET_INT((b, r) -> b.setInt(at(b, r), r.nextInt()).getInt(0)),
  SET_INT_LE((b, r) -> b.setIntLE(at(b, r), r.nextInt()).getIntLE(0)),
  SET_LONG((b, r) -> b.setLong(at(b, r), r.nextLong()).getLong(0)),
  SET_LONG_LE((b, r) -> b.setLongLE(at(b, r), r.nextLong()).getLongLE(0)),
  SET_DOUBLE((b, r) -> b.setDouble(at(b, r), r.nextDouble()).getDouble(0)),
  SET_BOOLEAN_CHAR((b, r) -> b.setBoolean(at(b, r), r.nextBoolean()).getChar(at(b, r))),
  GET_BYTE((b, r) -> b.getUnsignedByte(at(b, r))),
  GET_SHORT((b, r) -> b.getUnsignedShort(at(b, r))),
  GET_MEDIUM((b, r) -> b.getUnsignedMedium(at(b, r)) + b.getUnsignedMediumLE(at(b, r))),
  GET_INT((b, r) -> b.getUnsignedInt(at(b, r)) + b.getUnsignedIntLE(at(b, r))),
  GET_LONG((b, r) -> b.getLong(at(b, r)) + b.getLongLE(at(b, r))),
  WRITE_BYTE((b, r) -> b.writeByte(r.nextInt()).writerIndex()),
  WRITE_MEDIUM((b, r) -> b.writeMedium(r.nextInt()).writeMediumLE(r.nextInt()).writerIndex()),
  WRITE_INT((b, r) -> b.writeInt(r.nextInt()).writeShortLE(r.nextInt()).writerIndex()),
  WRITE_LONG((b, r) -> b.writeLong(r.nextLong()).writeFloat(r.nextFloat()).writerIndex()),
  READ_BYTE((b, r) -> b.readByte()),
  READ_INT((b, r) -> b.readInt() + b.readShortLE()),
  READ_MEDIUM((b, r) -> b.readMedium() + b.readUnsignedMediumLE()),
  READ_LONG((b, r) -> b.readLong()),
  SKIP((b, r) -> b.skipBytes(r.nextInt(40)).readerIndex()),
  SET_ARRAY((b, r) -> b.setBytes(at(b, r), bytes(r)).hashCode()),
  SET_ARRAY_PART((b, r) -> b.setBytes(at(b, r), bytes(r), r.nextInt(9), r.nextInt(60)).refCnt()),
  GET_ARRAY(
      (b, r) -> {
        byte[] target = new byte[r.nextInt(200)];
        b.getBytes(at(b, r), target);
        return Arrays.hashCode(target);
      }),
  GET_ARRAY_PART(
      (b, r) -> {
        byte[] target = new byte[100];
        b.getBytes(at(b, r), target, r.nextInt(60), r.nextInt(60));
        return Arrays.hashCode(target);
      }),
  WRITE_ARRAY((b, r) -> b.writeBytes(bytes(r)).writerIndex()),
  READ_ARRAY(
      (b, r) -> {
        byte[] target = new byte[r.nextInt(64)];
        b.readBytes(target);
        return Arrays.hashCode(target);
      }),
  SET_BUFFER((b, r) -> with(other(r), o -> b.setBytes(at(b, r), o, 3, r.nextInt(40)).refCnt())),
  WRITE_BUFFER((b, r) -> with(other(r), o -> b.writeBytes(o, r.nextInt(60)).writerIndex())),
  GET_BUFFER(
      (b, r) ->
          with(
              other(r),
              o -> {
                b.getBytes(at(b, r), o, r.nextInt(9), r.nextInt(40));
                return o.toString(0, o.capacity(), StandardCharsets.ISO_8859_1);
              })),
  GET_INTO_READ_ONLY((b, r) -> with(other(r), o -> b.getBytes(0, o.asReadOnly(), 0, 4))),
  READ_BUFFER((b, r) -> b.readBytes(Unpooled.buffer(50), r.nextInt(40)).readerIndex()),
  COPY_WITHIN((b, r) -> b.setBytes(at(b, r), b, at(b, r), r.nextInt(50)).refCnt()),
  SET_NIO((b, r) -> nio(r, n -> b.setBytes(at(b, r), n).refCnt())),
  WRITE_NIO((b, r) -> nio(r, n -> b.writeBytes(n).writerIndex())),
  GET_NIO((b, r) -> nio(r, n -> b.getBytes(at(b, r), n).refCnt())),
  GET_NIO_READ_ONLY(
      (b, r) -> nio(r, n -> n.hasRemaining() ? b.getBytes(0, n.asReadOnlyBuffer()).refCnt() : 0)),
  READ_NIO((b, r) -> nio(r, n -> b.readBytes(n).readerIndex())),
  OUT_STREAM(
      (b, r) -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        b.getBytes(at(b, r), out, r.nextInt(10_000));
        return Arrays.hashCode(out.toByteArray());
      }),
  IN_STREAM((b, r) -> b.setBytes(at(b, r), stream(r), r.nextInt(300))),
  IN_STREAM_AT_END((b, r) -> b.writeBytes(InputStream.nullInputStream(), r.nextInt(50))),
  OUT_CHANNEL(
      (b, r) -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int written = b.getBytes(at(b, r), gathering(out), r.nextInt(300));
        return written + Arrays.hashCode(out.toByteArray());
      }),
  READ_TO_CHANNEL(
      (b, r) -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int written = b.readBytes(gathering(out), r.nextInt(60));
        return written + Arrays.hashCode(out.toByteArray());
      }),
  IN_CHANNEL((b, r) -> b.setBytes(at(b, r), scattering(stream(r)), r.nextInt(300))),
  FILE(
      (b, r) -> {
        Path file = Files.createTempFile("cistern", ".test");
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          int out = b.getBytes(at(b, r), channel, 5, r.nextInt(100));
          int read = b.readBytes(channel, 7, r.nextInt(30));
          int in = b.setBytes(at(b, r), channel, 6, r.nextInt(100));
          return out + " " + read + " " + in + " " + channel.position();
        } finally {
          Files.delete(file);
        }
      }),
  SET_ZERO((b, r) -> b.setZero(at(b, r), r.nextInt(40)).refCnt()),
  WRITE_ZERO((b, r) -> b.writeZero(r.nextInt(100)).writerIndex()),
  WRITE_TEXT((b, r) -> b.writeCharSequence("z\u00e4hne" + r.nextInt(), StandardCharsets.UTF_8)),
  GET_TEXT((b, r) -> b.getCharSequence(at(b, r), r.nextInt(30), StandardCharsets.ISO_8859_1)),
  TO_TEXT((b, r) -> b.toString(StandardCharsets.ISO_8859_1)),
  CAPACITY((b, r) -> b.capacity(r.nextInt(b.capacity() * 2 + 20)).capacity()),
  CAPACITY_TOO_MUCH((b, r) -> b.capacity(b.maxCapacity() + r.nextInt(2) * 2 - 1).capacity()),
  ENSURE_WRITABLE((b, r) -> b.ensureWritable(r.nextInt(3_000)).isWritable()),
  TRY_WRITABLE((b, r) -> b.ensureWritable(r.nextInt(200_000), false) == 1),
  DISCARD((b, r) -> b.discardReadBytes().readerIndex()),
  DISCARD_SOME((b, r) -> b.discardSomeReadBytes().readerIndex()),
  READER_INDEX((b, r) -> b.readerIndex(at(b, r)).readableBytes()),
  WRITER_INDEX((b, r) -> b.writerIndex(at(b, r)).writableBytes()),
  MARK((b, r) -> b.markReaderIndex().markWriterIndex().refCnt()),
  RESET((b, r) -> b.resetReaderIndex().resetWriterIndex().refCnt()),
  CLEAR((b, r) -> b.clear().isReadable()),
  COPY((b, r) -> with(b.copy(at(b, r), r.nextInt(30)), ByteBuf::hashCode)),
  SLICE((b, r) -> b.slice(at(b, r), r.nextInt(30)).setByte(0, 7).hashCode()),
  RETAINED_SLICE((b, r) -> with(b.retainedSlice(at(b, r), r.nextInt(30)), ByteBuf::hashCode)),
  READ_SLICE((b, r) -> b.readSlice(r.nextInt(20)).hashCode()),
  READ_RETAINED_SLICE((b, r) -> with(b.readRetainedSlice(r.nextInt(20)), ByteBuf::hashCode)),
  DUPLICATE((b, r) -> b.duplicate().clear().writeInt(5).refCnt()),
  RETAINED_DUPLICATE((b, r) -> with(b.retainedDuplicate(), ByteBuf::hashCode)),
  INDEX_OF((b, r) -> b.indexOf(at(b, r), at(b, r), (byte) r.nextInt())),
  FOR_EACH((b, r) -> b.forEachByte(at(b, r), r.nextInt(50), v -> v != 3)),
  FOR_EACH_DOWN((b, r) -> b.forEachByteDesc(value -> value == 0)),
  BYTES_BEFORE((b, r) -> b.bytesBefore((byte) r.nextInt())),
  HASH((b, r) -> b.hashCode()),
  COMPARE((b, r) -> with(other(r), o -> b.compareTo(o) + " " + b.equals(o))),
  SWAPPED((b, r) -> swapped(b, r)),
  NIO_VIEW(
      (b, r) -> {
        ByteBuffer view = b.nioBuffer(at(b, r), r.nextInt(30));
        return view.order() + " " + view.isDirect() + " " + view.position() + " " + view.hashCode();
      }),
  NIO_VIEW_WRITES(
      (b, r) -> b.nioBuffer(at(b, r), 4 + r.nextInt(9)).putInt(r.nextInt()).remaining()),
  NIO_VIEWS((b, r) -> b.nioBufferCount() + b.nioBuffers(at(b, r), r.nextInt(30))[0].hashCode()),
  INTERNAL_NIO((b, r) -> b.internalNioBuffer(at(b, r), r.nextInt(30)).hashCode()),
  ARRAY((b, r) -> b.hasArray() ? elementOfArray(b, at(b, r)) : b.array()),
  ADDRESS((b, r) -> b.hasMemoryAddress() ? b.memoryAddress() != 0 : b.memoryAddress()),
  KIND((b, r) -> b.isDirect() + " " + b.isReadOnly() + " " + b.isContiguous() + " " + b.unwrap()),
  COUNT((b, r) -> b.retain().refCnt() + " " + b.release() + " " + b.touch("hint").refCnt()),
  COUNT_TWICE((b, r) -> b.retain(2).refCnt() + " " + b.release(2)),
  OVER_RELEASE((b, r) -> b.release(5)),
  ALLOCATOR((b, r) -> System.identityHashCode(b.alloc()));

  interface Action {
    Object on(ByteBuf buffer, Random random) throws IOException;
  }

  private interface Use<T> {
    Object of(T thing) throws IOException;
  }

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
  private final Action action;

  BufferOperation(Action action) {
    this.action = action;
  }

  public static BufferOperation any(Random random) {
    return values()[random.nextInt(values().length)];
  }

  Object apply(ByteBuf buffer, Random random) throws IOException {
    return action.on(buffer, random);
  }

  /** Returns an index that is usually inside the buffer, and sometimes outside. */
  private static int at(ByteBuf buffer, Random random) {
    int index = random.nextInt(Math.max(1, buffer.capacity()) + 8) - 2;
    return random.nextInt(4) == 0 ? index : Math.max(0, Math.min(index, buffer.capacity() - 64));
  }

  /**
   * Returns a byte of the array, or -1 outside the buffer: an array also contains bytes of other
   * buffers, which are not compared.
   */
  private static int elementOfArray(ByteBuf buffer, int index) {
    boolean isOwn = index >= 0 && index < buffer.capacity();
    return isOwn ? buffer.array()[buffer.arrayOffset() + index] : -1;
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 3_000 : 60)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static InputStream stream(Random random) {
    return new ByteArrayInputStream(bytes(random));
  }

  /** Returns another buffer, of any kind. */
  private static ByteBuf other(Random random) {
    byte[] bytes = new byte[64];
    random.nextBytes(bytes);
    return switch (random.nextInt(6)) {
      case 0 -> Unpooled.wrappedBuffer(bytes);
      case 1 -> Unpooled.directBuffer(64).writeBytes(bytes);
      case 2 ->
          Unpooled.wrappedBuffer(
              Unpooled.copiedBuffer(bytes, 0, 10), Unpooled.copiedBuffer(bytes, 10, 54));
      case 3 -> Unpooled.wrappedBuffer(bytes).slice(3, 61).capacity(61);
      case 4 -> Unpooled.buffer(80).writeZero(6).writeBytes(bytes).skipBytes(6);
      default -> Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(64).put(bytes).flip());
    };
  }

  private static Object with(ByteBuf other, Use<ByteBuf> use) {
    try {
      Object result = use.of(other);
      return result instanceof ByteBuf ? "" : result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      other.release();
    }
  }

  private static Object nio(Random random, Use<ByteBuffer> use) throws IOException {
    byte[] bytes = bytes(random);
    ByteBuffer buffer =
        random.nextBoolean() ? ByteBuffer.wrap(bytes) : ByteBuffer.allocateDirect(bytes.length);
    buffer.position(bytes.length / 5);
    Object result = use.of(buffer);
    int position = buffer.position();
    return result + " " + position + " " + buffer.clear().hashCode();
  }

  @SuppressWarnings("deprecation") // hosts use it
  private static Object swapped(ByteBuf buffer, Random random) {
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    return swapped.setInt(at(buffer, random), random.nextInt()).getLong(at(buffer, random));
  }

  private static GatheringByteChannel gathering(ByteArrayOutputStream out) {
    return new StreamChannel(Channels.newChannel(out), null);
  }

  private static ScatteringByteChannel scattering(InputStream in) {
    return new StreamChannel(null, Channels.newChannel(in));
  }
}
