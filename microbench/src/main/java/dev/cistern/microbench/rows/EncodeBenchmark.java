/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.Unpooled;
import dev.cistern.util.AsciiString;
import java.nio.ByteBuffer;
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
 * Writes a text of 128 characters to a direct buffer, or through a wrapper around it. The JDK's
 * counterpart is {@code getBytes} and a copy. The JDK has no {@code AsciiString}; it uses a {@code
 * String} each time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class EncodeBenchmark {
  private static final int CAPACITY = 1024;
  private static final int CHARS = 128;

  /**
   * The text, written as ASCII and as UTF-8. The last one has umlauts, which an {@code AsciiString}
   * cannot have.
   */
  @Param({"STRING", "ASCII_STRING", "BEYOND_ASCII"})
  public String text;

  /** The target of the writes. */
  @Param({"BUFFER", "WRAPPER"})
  public String into;

  private final ByteBuf ourBuffer = Unpooled.directBuffer(CAPACITY);
  private final io.netty.buffer.ByteBuf theirBuffer =
      io.netty.buffer.Unpooled.directBuffer(CAPACITY);
  private final ByteBuffer jdks = ByteBuffer.allocateDirect(CAPACITY);

  private String string;
  private CharSequence ourText;
  private CharSequence theirText;
  private ByteBuf ours;
  private io.netty.buffer.ByteBuf theirs;

  /** Creates the text and the buffers of both libraries. */
  @Setup
  public void setUp() {
    string =
        (text.equals("BEYOND_ASCII") ? "caf\u00e9 au lait, cr\u00e8me, " : "GET /index.html ")
            .repeat(CHARS)
            .substring(0, CHARS);
    boolean ascii = text.equals("ASCII_STRING");
    ourText = ascii ? new AsciiString(string) : string;
    theirText = ascii ? new io.netty.util.AsciiString(string) : string;
    boolean wrapped = into.equals("WRAPPER");
    ours = wrapped ? Unpooled.unreleasableBuffer(ourBuffer) : ourBuffer;
    theirs = wrapped ? io.netty.buffer.Unpooled.unreleasableBuffer(theirBuffer) : theirBuffer;
  }

  /** Releases the buffers. */
  @TearDown
  public void release() {
    ourBuffer.release();
    theirBuffer.release();
  }

  /** Writes ASCII with Cistern's library. */
  @Benchmark
  public int writeAsciiOurs() {
    return ByteBufUtil.writeAscii(ours.clear(), ourText);
  }

  /** Writes ASCII with Netty. */
  @Benchmark
  public int writeAsciiNetty() {
    return io.netty.buffer.ByteBufUtil.writeAscii(theirs.clear(), theirText);
  }

  /** Writes ASCII with the JDK. */
  @Benchmark
  public int writeAsciiJdk() {
    return jdks.clear().put(string.getBytes(StandardCharsets.US_ASCII)).position();
  }

  /** Writes UTF-8 with Cistern's library. */
  @Benchmark
  public int writeUtf8Ours() {
    return ByteBufUtil.writeUtf8(ours.clear(), ourText);
  }

  /** Writes UTF-8 with Netty. */
  @Benchmark
  public int writeUtf8Netty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), theirText);
  }

  /** Writes UTF-8 with the JDK. */
  @Benchmark
  public int writeUtf8Jdk() {
    return jdks.clear().put(string.getBytes(StandardCharsets.UTF_8)).position();
  }
}
