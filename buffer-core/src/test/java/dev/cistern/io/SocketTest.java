/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PoolCheck;
import dev.cistern.buffer.TestAllocators;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests both sides of a connection on real sockets with small buffers: one writes, the other reads.
 */
@Tag("H1")
@Tag("H2")
@ExtendWith(PoolCheck.class)
class SocketTest {
  private static final int SOCKET_BYTES = 4096;
  private static final int MESSAGES = 3000;
  private static final int LARGEST = 5000;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final CRC32C sent = new CRC32C();
  private final CRC32C received = new CRC32C();
  private long sentBytes;
  private long receivedBytes;
  private int completed;
  private boolean isPaused;
  private int pauses;

  @Test
  @Timeout(60)
  void everyByteArrives() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        Selector selector = Selector.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel writer = SocketChannel.open();
          SocketChannel reader = connect(writer, server)) {
        exchange(writer, reader, selector);
      }
    }
    assertThat(receivedBytes).as("seed %d", seed).isEqualTo(sentBytes);
    assertThat(received.getValue()).as("seed %d", seed).isEqualTo(sent.getValue());
    assertThat(completed).isEqualTo(MESSAGES);
    assertThat(pauses).as("the writer had to wait").isPositive();
  }

  private static SocketChannel connect(SocketChannel writer, ServerSocketChannel server)
      throws IOException {
    writer.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
    server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
    writer.connect(server.getLocalAddress());
    SocketChannel reader = server.accept();
    writer.configureBlocking(false);
    reader.configureBlocking(false);
    return reader;
  }

  private void exchange(SocketChannel writer, SocketChannel reader, Selector selector)
      throws IOException {
    OutboundBuffer outbound =
        new OutboundBuffer(
            OutboundSettings.of(TestAllocators.POOLED),
            (buffer, writable) -> {
              isPaused = !writable;
              pauses += writable ? 0 : 1;
            });
    ReceiveSizer sizer = ReceiveSizePolicy.adaptive(64, 256, 8192).newSizer();
    SelectionKey writing = writer.register(selector, SelectionKey.OP_WRITE);
    reader.register(selector, SelectionKey.OP_READ);
    int messages = 0;
    while (completed < MESSAGES || receivedBytes < sentBytes) {
      while (messages < MESSAGES && !isPaused) {
        outbound.write(message(), failure -> completed += failure == null ? 1 : 0);
        messages++;
      }
      outbound.flush();
      boolean isDone = outbound.writeTo(writer) == WriteProgress.ALL_WRITTEN;
      writing.interestOps(isDone ? 0 : SelectionKey.OP_WRITE);
      selector.select(key -> {}, 1000);
      read(reader, sizer);
    }
  }

  private ByteBuf message() {
    byte[] bytes = new byte[random.nextInt(LARGEST)];
    random.nextBytes(bytes);
    sent.update(bytes);
    sentBytes += bytes.length;
    return random.nextBoolean()
        ? TestAllocators.POOLED.directBuffer().writeBytes(bytes)
        : TestAllocators.POOLED.heapBuffer().writeBytes(bytes);
  }

  private void read(SocketChannel reader, ReceiveSizer sizer) throws IOException {
    sizer.begin();
    do {
      ByteBuf buffer = sizer.allocate(TestAllocators.POOLED);
      int room = buffer.writableBytes();
      int read = buffer.writeBytes(reader, room);
      sizer.record(room, read);
      receivedBytes += buffer.readableBytes();
      received.update(buffer.nioBuffer());
      buffer.release();
    } while (sizer.continueReading());
    sizer.complete();
  }
}
