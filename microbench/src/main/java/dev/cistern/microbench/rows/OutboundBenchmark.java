/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.io.OutboundBuffer;
import dev.cistern.io.OutboundSettings;
import dev.cistern.io.WaterMarks;
import dev.cistern.microbench.EventLoopThreads;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Passes 1,024 small buffers through an outbound buffer to one gathering write; an operation is one
 * buffer. Netty's outbound buffer belongs to an unconnected socket channel, and the benchmark uses
 * it as Netty's transport does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class OutboundBenchmark {
  private static final int MESSAGES = 1024;
  private static final int BYTES = 64;
  private static final int MARK = 1 << 30;
  private static final Path NULL = Path.of("/dev/null");

  /**
   * The target channel. {@code sink} makes no system call; {@code null} calls {@code writev} on a
   * null device.
   */
  @Param({"sink", "null"})
  public String channel;

  private GatheringByteChannel target;
  private dev.cistern.buffer.PooledByteBufAllocator ourAllocator;
  private dev.cistern.buffer.ByteBuf[] ourMessages;
  private OutboundBuffer ours;
  private io.netty.buffer.ByteBufAllocator theirAllocator;
  private io.netty.buffer.ByteBuf[] theirMessages;
  private ChannelOutboundBuffer theirs;
  private ChannelPromise promise;

  /** Creates the buffers of both libraries, before either library is measured. */
  @Setup
  public void open() throws IOException {
    target =
        channel.equals("sink")
            ? new SinkChannel()
            : FileChannel.open(NULL, StandardOpenOption.WRITE);
    ourAllocator = new dev.cistern.buffer.PooledByteBufAllocator(true);
    ourMessages = new dev.cistern.buffer.ByteBuf[MESSAGES];
    theirAllocator = new io.netty.buffer.AdaptiveByteBufAllocator(true, true); // the faster one
    theirMessages = new io.netty.buffer.ByteBuf[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      ourMessages[i] = ourAllocator.directBuffer(BYTES).writeZero(BYTES);
      theirMessages[i] = theirAllocator.directBuffer(BYTES).writeZero(BYTES);
    }
    ours =
        new OutboundBuffer(
            OutboundSettings.of(ourAllocator).withWaterMarks(new WaterMarks(0, MARK)),
            (buffer, writable) -> {});
    NioSocketChannel socket = new NioSocketChannel();
    socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(0, MARK));
    theirs = socket.unsafe().outboundBuffer();
    promise = socket.voidPromise();
  }

  /** Releases the buffers of both libraries. */
  @TearDown
  public void release() throws IOException {
    for (int i = 0; i < MESSAGES; i++) {
      ourMessages[i].release();
      theirMessages[i].release();
    }
    target.close();
  }

  /** Writes existing buffers, to measure only the queue. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.OUR_WORKERS)
  @OperationsPerInvocation(MESSAGES)
  public boolean gatherOurs() throws IOException {
    for (dev.cistern.buffer.ByteBuf message : ourMessages) {
      ours.write(message.retain());
    }
    return writeOurs();
  }

  /** Does the same as {@link #gatherOurs} with Netty. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public boolean gatherNetty() throws IOException {
    for (io.netty.buffer.ByteBuf message : theirMessages) {
      message.readerIndex(0);
      theirs.addMessage(message.retain(), BYTES, promise);
    }
    return writeTheirs();
  }

  /** Allocates the buffers and writes them. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.OUR_WORKERS)
  @OperationsPerInvocation(MESSAGES)
  public boolean allocateAndGatherOurs() throws IOException {
    for (int i = 0; i < MESSAGES; i++) {
      ours.write(ourAllocator.directBuffer(BYTES).writeLong(i).writeZero(BYTES - Long.BYTES));
    }
    return writeOurs();
  }

  /** Does the same as {@link #allocateAndGatherOurs} with Netty. */
  @Benchmark
  @OperationsPerInvocation(MESSAGES)
  public boolean allocateAndGatherNetty() throws IOException {
    for (int i = 0; i < MESSAGES; i++) {
      theirs.addMessage(
          theirAllocator.directBuffer(BYTES).writeLong(i).writeZero(BYTES - Long.BYTES),
          BYTES,
          promise);
    }
    return writeTheirs();
  }

  private boolean writeOurs() throws IOException {
    ours.flush();
    ours.writeTo(target);
    return requireEmpty(ours.pendingMessages());
  }

  /** Writes as Netty's own transport does. */
  private boolean writeTheirs() throws IOException {
    theirs.addFlush();
    while (!theirs.isEmpty()) {
      java.nio.ByteBuffer[] buffers = theirs.nioBuffers(MESSAGES, Integer.MAX_VALUE);
      theirs.removeBytes(target.write(buffers, 0, theirs.nioBufferCount()));
    }
    return requireEmpty(theirs.size());
  }

  private static boolean requireEmpty(int pending) {
    if (pending != 0) {
      throw new IllegalStateException(pending + " messages are left");
    }
    return true;
  }
}
