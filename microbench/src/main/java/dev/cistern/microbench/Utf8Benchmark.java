/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
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
 * Strings of several languages written in UTF-8 from the start of a buffer, and read from it: ours
 * against Netty's (seed row I2). {@link TextBenchmark} has those that are nearly ASCII.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Utf8Benchmark {
  private static final int CAPACITY = 8192;

  /** What is said. */
  public enum Text {
    /** Words of two bytes a character, and spaces. */
    CYRILLIC(
        "\u0412\u0441\u0435 \u043b\u044e\u0434\u0438 \u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f"
            + " \u0441\u0432\u043e\u0431\u043e\u0434\u043d\u044b\u043c\u0438 \u0438"
            + " \u0440\u0430\u0432\u043d\u044b\u043c\u0438, "),
    /** Three bytes a character, some punctuation of as many. */
    CHINESE(
        "\u4eba\u4eba\u751f\u800c\u81ea\u7531\uff0c\u5728\u5c0a\u4e25\u548c\u6743\u5229\u4e0a"
            + "\u4e00\u5f8b\u5e73\u7b49\u3002"),
    /** ASCII words, each fourth followed by a surrogate pair. */
    EMOJI("so glad to see \ud83d\ude00 and you all again \ud83c\udf89 ");

    private final String phrase;

    Text(String phrase) {
      this.phrase = phrase;
    }

    private String ofLength(int chars) {
      return phrase.repeat(chars / phrase.length() + 1).substring(0, chars);
    }
  }

  /** Where the bytes are. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** Which text. */
  @Param public Text text;

  /** How long it is. */
  @Param("74")
  public int chars;

  private String string;
  private ByteBuf ours;
  private ByteBuf ourText;
  private io.netty.buffer.ByteBuf theirs;
  private io.netty.buffer.ByteBuf theirText;

  /** Makes the text and the buffers of both sides. */
  @Setup
  public void setUp() {
    string = text.ofLength(chars);
    boolean direct = memory.equals("DIRECT");
    PooledByteBufAllocator our = PooledByteBufAllocator.DEFAULT;
    ours = direct ? our.directBuffer(CAPACITY) : our.heapBuffer(CAPACITY);
    ourText = direct ? our.directBuffer(CAPACITY) : our.heapBuffer(CAPACITY);
    ourText.writeCharSequence(string, StandardCharsets.UTF_8);
    io.netty.buffer.PooledByteBufAllocator their = io.netty.buffer.PooledByteBufAllocator.DEFAULT;
    theirs = direct ? their.directBuffer(CAPACITY) : their.heapBuffer(CAPACITY);
    theirText = direct ? their.directBuffer(CAPACITY) : their.heapBuffer(CAPACITY);
    theirText.writeCharSequence(string, StandardCharsets.UTF_8);
  }

  /** Releases the buffers. */
  @TearDown
  public void tearDown() {
    ours.release();
    ourText.release();
    theirs.release();
    theirText.release();
  }

  /** The string in UTF-8. */
  @Benchmark
  public int writeOurs() {
    return ByteBufUtil.writeUtf8(ours.clear(), string);
  }

  /** The string in UTF-8. */
  @Benchmark
  public int writeNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), string);
  }

  /** All bytes as a string. */
  @Benchmark
  public String toStringOurs() {
    return ourText.toString(StandardCharsets.UTF_8);
  }

  /** All bytes as a string. */
  @Benchmark
  public String toStringNetty() {
    return theirText.toString(StandardCharsets.UTF_8);
  }
}
