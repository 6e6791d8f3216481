/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.Unpooled;
import dev.cistern.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes one text at the start of a buffer, or reads it from there, with Cistern and with Netty.
 * The buffer is large enough, so that it never grows.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class TextBenchmark {
  private static final String WORDS =
      "GET /static/images/logo-128x128.png HTTP/1.1 accept: text/html ";
  private static final int CAPACITY = 8192;

  /** The kind of memory that holds the bytes. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** The length of the text. */
  @Param("74")
  public int chars;

  private String ascii;
  private String latin1;
  private String beyond;
  private AsciiString ourAscii;
  private io.netty.util.AsciiString theirAscii;
  private ByteBuf ours;
  private ByteBuf ourSlice;
  private ByteBuf ourWrapper;
  private ByteBuf ourText;
  private io.netty.buffer.ByteBuf theirs;
  private io.netty.buffer.ByteBuf theirSlice;
  private io.netty.buffer.ByteBuf theirWrapper;
  private io.netty.buffer.ByteBuf theirText;

  /** Creates the texts and the buffers of both libraries. */
  @Setup
  public void setUp() {
    ascii = WORDS.repeat(chars / WORDS.length() + 1).substring(0, chars);
    latin1 = everyTwentieth(ascii, '\u00e9');
    beyond = everyTwentieth(ascii, '\u20ac');
    ourAscii = new AsciiString(ascii);
    theirAscii = new io.netty.util.AsciiString(ascii);
    boolean direct = memory.equals("DIRECT");
    ours = our(direct);
    ourSlice = our(direct).slice(10, CAPACITY - 10);
    ourWrapper = Unpooled.unreleasableBuffer(ours);
    ourText = our(direct);
    theirs = their(direct);
    theirSlice = their(direct).slice(10, CAPACITY - 10);
    theirWrapper = io.netty.buffer.Unpooled.unreleasableBuffer(theirs);
    theirText = their(direct);
    ourText.writeCharSequence(ascii, StandardCharsets.UTF_8);
    theirText.writeCharSequence(ascii, StandardCharsets.UTF_8);
  }

  private static String everyTwentieth(String text, char c) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = 5; i < changed.length(); i += 20) {
      changed.setCharAt(i, c);
    }
    return changed.toString();
  }

  private static ByteBuf our(boolean direct) {
    return direct
        ? PooledByteBufAllocator.DEFAULT.directBuffer(CAPACITY)
        : PooledByteBufAllocator.DEFAULT.heapBuffer(CAPACITY);
  }

  private static io.netty.buffer.ByteBuf their(boolean direct) {
    return direct
        ? io.netty.buffer.PooledByteBufAllocator.DEFAULT.directBuffer(CAPACITY)
        : io.netty.buffer.PooledByteBufAllocator.DEFAULT.heapBuffer(CAPACITY);
  }

  /** Releases the buffers. */
  @TearDown
  public void tearDown() {
    ours.release();
    ourSlice.release();
    ourText.release();
    theirs.release();
    theirSlice.release();
    theirText.release();
  }

  /** Writes a string of ASCII, a byte per character. */
  @Benchmark
  public int writeAsciiOurs() {
    return ByteBufUtil.writeAscii(ours.clear(), ascii);
  }

  /** Does the same as {@link #writeAsciiOurs} with Netty. */
  @Benchmark
  public int writeAsciiNetty() {
    return io.netty.buffer.ByteBufUtil.writeAscii(theirs.clear(), ascii);
  }

  /** Writes an {@code AsciiString}, a byte per character. */
  @Benchmark
  public int writeAsciiAsciiStringOurs() {
    return ByteBufUtil.writeAscii(ours.clear(), ourAscii);
  }

  /** Does the same as {@link #writeAsciiAsciiStringOurs} with Netty. */
  @Benchmark
  public int writeAsciiAsciiStringNetty() {
    return io.netty.buffer.ByteBufUtil.writeAscii(theirs.clear(), theirAscii);
  }

  /** Writes a string of ASCII to a slice, a byte per character. */
  @Benchmark
  public int writeAsciiSliceOurs() {
    return ByteBufUtil.writeAscii(ourSlice.clear(), ascii);
  }

  /** Does the same as {@link #writeAsciiSliceOurs} with Netty. */
  @Benchmark
  public int writeAsciiSliceNetty() {
    return io.netty.buffer.ByteBufUtil.writeAscii(theirSlice.clear(), ascii);
  }

  /** Writes a string of ASCII through a wrapper, a byte per character. */
  @Benchmark
  public int writeAsciiWrappedOurs() {
    return ByteBufUtil.writeAscii(ourWrapper.clear(), ascii);
  }

  /** Does the same as {@link #writeAsciiWrappedOurs} with Netty. */
  @Benchmark
  public int writeAsciiWrappedNetty() {
    return io.netty.buffer.ByteBufUtil.writeAscii(theirWrapper.clear(), ascii);
  }

  /** Writes a string of ASCII as UTF-8. */
  @Benchmark
  public int writeUtf8Ours() {
    return ByteBufUtil.writeUtf8(ours.clear(), ascii);
  }

  /** Does the same as {@link #writeUtf8Ours} with Netty. */
  @Benchmark
  public int writeUtf8Netty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), ascii);
  }

  /** Writes a string as UTF-8. One in twenty characters has two bytes. */
  @Benchmark
  public int writeUtf8Latin1Ours() {
    return ByteBufUtil.writeUtf8(ours.clear(), latin1);
  }

  /** Does the same as {@link #writeUtf8Latin1Ours} with Netty. */
  @Benchmark
  public int writeUtf8Latin1Netty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), latin1);
  }

  /** Writes a string as UTF-8. One in twenty characters has three bytes. */
  @Benchmark
  public int writeUtf8BeyondOurs() {
    return ByteBufUtil.writeUtf8(ours.clear(), beyond);
  }

  /** Does the same as {@link #writeUtf8BeyondOurs} with Netty. */
  @Benchmark
  public int writeUtf8BeyondNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), beyond);
  }

  /** Writes an {@code AsciiString} as UTF-8. */
  @Benchmark
  public int writeUtf8AsciiStringOurs() {
    return ByteBufUtil.writeUtf8(ours.clear(), ourAscii);
  }

  /** Does the same as {@link #writeUtf8AsciiStringOurs} with Netty. */
  @Benchmark
  public int writeUtf8AsciiStringNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), theirAscii);
  }

  /** Writes a string of Latin-1 as UTF-8 to a slice. */
  @Benchmark
  public int writeUtf8SliceOurs() {
    return ByteBufUtil.writeUtf8(ourSlice.clear(), latin1);
  }

  /** Does the same as {@link #writeUtf8SliceOurs} with Netty. */
  @Benchmark
  public int writeUtf8SliceNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirSlice.clear(), latin1);
  }

  /** Writes a string of Latin-1 as UTF-8 through a wrapper. */
  @Benchmark
  public int writeUtf8WrappedOurs() {
    return ByteBufUtil.writeUtf8(ourWrapper.clear(), latin1);
  }

  /** Does the same as {@link #writeUtf8WrappedOurs} with Netty. */
  @Benchmark
  public int writeUtf8WrappedNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirWrapper.clear(), latin1);
  }

  /** Reads all bytes as a string. */
  @Benchmark
  public String toStringUtf8Ours() {
    return ourText.toString(StandardCharsets.UTF_8);
  }

  /** Does the same as {@link #toStringUtf8Ours} with Netty. */
  @Benchmark
  public String toStringUtf8Netty() {
    return theirText.toString(StandardCharsets.UTF_8);
  }
}
