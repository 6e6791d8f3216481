/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares reads of buffers of up to 1 MiB from streams with Netty's: streams that fail, that
 * return fewer bytes than requested, that return none, or that end early.
 */
@ExtendWith(PoolCheck.class)
class StreamDifferentialTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final int ROUNDS = TestLength.choose(100, 400, 4000);
  private static final String BUFFER = "buffer.ByteBuf";
  private static final String ALLOCATOR = "buffer.ByteBufAllocator";
  private static final int MARGIN_BYTES = 7;

  /** The kinds of buffers; their only limit is their capacity. */
  private enum Kind {
    POOLED_HEAP(bytes -> pooled("heapBuffer", bytes)),
    POOLED_DIRECT(bytes -> pooled("directBuffer", bytes)),
    UNPOOLED_HEAP(bytes -> unpooled("heapBuffer", bytes)),
    UNPOOLED_DIRECT(bytes -> unpooled("directBuffer", bytes)),
    SLICE_OF_DIRECT(bytes -> slice(pooled("directBuffer", bytes + 2 * MARGIN_BYTES))),
    SLICE_OF_HEAP(bytes -> slice(unpooled("heapBuffer", bytes + 2 * MARGIN_BYTES))),
    DUPLICATE_OF_DIRECT(bytes -> pooled("directBuffer", bytes).call(BUFFER, "duplicate")),
    SWAPPED_DIRECT(
        bytes -> unpooled("directBuffer", bytes).call(BUFFER, "order", ByteOrder.LITTLE_ENDIAN)),
    UNRELEASABLE_DIRECT(
        bytes ->
            Both.make("buffer.Unpooled", "unreleasableBuffer", unpooled("directBuffer", bytes))),
    WRAPPED_DIRECT_NIO(
        bytes ->
            Both.make(
                "buffer.Unpooled",
                "wrappedBuffer",
                new Both(ByteBuffer.allocateDirect(bytes), ByteBuffer.allocateDirect(bytes)))),
    COMPOSITE(bytes -> composite(bytes, 1)),
    COMPOSITE_OF_COMPOSITES(bytes -> composite(bytes, 2)),
    COMPOSITE_OF_ONE(bytes -> joined(unpooled("heapBuffer", bytes))),
    SLICE_OF_COMPOSITE(bytes -> slice(composite(bytes + 2 * MARGIN_BYTES, 1)));

    @SuppressWarnings("ImmutableEnumChecker") // a function
    private final java.util.function.IntFunction<Both> maker;

    Kind(java.util.function.IntFunction<Both> maker) {
      this.maker = maker;
    }

    /** Returns a buffer of that capacity whose bytes are 0. */
    Twin twin(int bytes) {
      Both both = maker.apply(bytes);
      Twin twin = new Twin(both, TwinKind.UNPOOLED_DIRECT, 0);
      twin.theirs().clear().setZero(0, bytes);
      twin.ours().clear().setZero(0, bytes);
      return twin;
    }
  }

  private static Both pooled(String method, int bytes) {
    return TwinKind.POOLED_ALLOCATOR.call(ALLOCATOR, method, bytes, bytes);
  }

  private static Both unpooled(String method, int bytes) {
    return TwinKind.UNPOOLED_ALLOCATOR.call(ALLOCATOR, method, bytes, bytes);
  }

  private static Both slice(Both buffer) {
    int bytes = ((ByteBuf) buffer.ours()).capacity() - 2 * MARGIN_BYTES;
    return buffer.call(BUFFER, "slice", MARGIN_BYTES, bytes);
  }

  /**
   * Returns a composite of a direct part, an empty part, a heap part and a slice of a direct
   * buffer.
   */
  private static Both composite(int bytes, int depth) {
    int third = bytes / 3;
    Both first = depth > 1 ? composite(third, depth - 1) : pooled("directBuffer", third);
    int rest = bytes - 2 * third;
    return joined(
        first,
        unpooled("directBuffer", 0),
        unpooled("heapBuffer", third),
        slice(unpooled("directBuffer", rest + 2 * MARGIN_BYTES)));
  }

  private static Both joined(Both... parts) {
    Both composite =
        new Both(
            new io.netty.buffer.CompositeByteBuf(
                io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, true, parts.length + 1),
            new CompositeByteBuf(TestAllocators.UNPOOLED, true, parts.length + 1));
    for (Both part : parts) {
      int capacity = ((ByteBuf) part.ours()).capacity();
      part.call(BUFFER, "setIndex", 0, capacity);
      composite.call("buffer.CompositeByteBuf", "addComponent", true, part);
    }
    return composite;
  }

  @ParameterizedTest
  @EnumSource
  void readsAsNettysBuffer(Kind kind) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(seed + round);
      Twin twin = kind.twin(random.nextInt(1 << random.nextInt(5, 21)) + 1);
      byte[] bytes = new byte[random.nextInt(2 * twin.ours().capacity())];
      random.nextBytes(bytes);
      int most = random.nextInt(twin.ours().capacity() + 1);
      Both stream = TwinStream.random(bytes, random);
      try {
        read(twin, stream, most, random.nextBoolean());
      } catch (AssertionError failure) {
        throw new AssertionError("-Dcistern.seed=" + (seed + round), failure);
      } finally {
        twin.free();
      }
    }
  }

  /** Reads into both buffers, twice, and compares the results, the bytes and the streams. */
  private static void read(Twin twin, Both stream, int most, boolean writes) {
    for (int i = 0; i < 2; i++) {
      int length = Math.min(most, twin.ours().writableBytes());
      String theirs = outcome(() -> readTheirs(twin, stream, length, writes));
      String ours = outcome(() -> readOurs(twin, stream, length, writes));
      assertThat(ours).isEqualTo(theirs);
      assertThat(stream.ours()).hasToString(stream.theirs().toString());
      assertThat(twin.difference(true)).isNull();
    }
  }

  private interface Read {
    int read() throws java.io.IOException;
  }

  private static String outcome(Read read) {
    try {
      return "returned " + read.read();
    } catch (java.io.IOException | RuntimeException thrown) {
      return "threw " + thrown;
    }
  }

  private static int readTheirs(Twin twin, Both stream, int length, boolean writes)
      throws java.io.IOException {
    InputStream in = (InputStream) stream.theirs();
    io.netty.buffer.ByteBuf buffer = twin.theirs();
    return writes ? buffer.writeBytes(in, length) : buffer.setBytes(0, in, length);
  }

  private static int readOurs(Twin twin, Both stream, int length, boolean writes)
      throws java.io.IOException {
    InputStream in = (InputStream) stream.ours();
    ByteBuf buffer = twin.ours();
    return writes ? buffer.writeBytes(in, length) : buffer.setBytes(0, in, length);
  }

  /**
   * Tests that a contiguous buffer keeps the bytes that it has read from a stream when a later read
   * fails.
   */
  @ParameterizedTest
  @EnumSource(names = ".*COMPOSITE.*", mode = EnumSource.Mode.MATCH_NONE)
  void aLaterFailureLosesNothing(Kind kind) throws java.io.IOException {
    Twin twin = kind.twin(MAX_BYTES);
    for (int count : new int[] {1, 8191, 8192, 8193, 20_000, MAX_BYTES - 44_577}) {
      TwinStream in = (TwinStream) TwinStream.failingAfter(new byte[MAX_BYTES], count).ours();
      int before = twin.ours().writerIndex();
      assertThat(twin.ours().writeBytes(in, twin.ours().writableBytes())).isEqualTo(count);
      assertThat(twin.ours().writerIndex() - before).isEqualTo(in.position()).isEqualTo(count);
    }
    assertThat(twin.ours().isWritable()).isFalse();
    twin.free();
  }

  /** Tests a pipe that has no more bytes, and would block a second read. */
  @ParameterizedTest
  @EnumSource(names = ".*COMPOSITE.*", mode = EnumSource.Mode.MATCH_NONE)
  void aStreamThatWouldBlockIsReadOnce(Kind kind) throws java.io.IOException {
    Twin twin = kind.twin(MAX_BYTES);
    PipedOutputStream out = new PipedOutputStream();
    try (PipedInputStream in = new PipedInputStream(out, 1 << 16)) {
      out.write(new byte[20_000]);
      assertThat(twin.ours().writeBytes(in, MAX_BYTES)).isEqualTo(20_000);
    }
    twin.free();
  }
}
