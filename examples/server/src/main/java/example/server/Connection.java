/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.io.OutboundBuffer;
import dev.cistern.io.OutboundListener;
import dev.cistern.io.ReceiveSizer;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection. It reads while its client accepts data, and writes when the channel has room. Used
 * only by its loop's thread.
 */
abstract class Connection {
  /**
   * The maximum number of bytes that a client may send after the last response. They are discarded,
   * so that the client receives this response and not a reset.
   */
  private static final long MAX_DISCARDED_BYTES = 1 << 20;

  private static final int NOT_REGISTERED = -1;

  private final SocketChannel channel;
  private final Transport transport;
  private final OutboundBuffer outbound;
  private final ReceiveSizer sizer;
  private int interest = NOT_REGISTERED;
  private long discardedBytes;
  private boolean isInputEnded;
  private boolean isOutputEnded;

  Connection(SocketChannel channel, Transport transport) {
    this.channel = channel;
    this.transport = transport;
    outbound = new OutboundBuffer(transport.outbound(), OutboundListener.NONE); // see interest()
    sizer = transport.receive().newSizer();
  }

  /** Processes input and takes its ownership. */
  abstract void received(ByteBuf input);

  /** Resumes work that waited for the outbound buffer. Returns false if there was none. */
  abstract boolean resume();

  /** Returns whether there will be no more writes. */
  abstract boolean isDone();

  /** Releases all buffers outside the outbound buffer. */
  abstract void released();

  /**
   * Writes to the client, together with all other writes until this loop has completed its read.
   */
  public final void write(ByteBuf bytes) {
    outbound.write(bytes);
  }

  public final boolean isWritable() {
    return outbound.isWritable();
  }

  final void register(Selector selector) {
    try {
      channel.register(selector, SelectionKey.OP_READ, this);
      interest = SelectionKey.OP_READ;
    } catch (ClosedChannelException | RuntimeException | OutOfMemoryError e) {
      close(e);
    }
  }

  /** Runs the operations that the selector reports as ready. */
  final void ready(SelectionKey key) {
    try {
      if (key.isReadable()) {
        read();
      }
      flush();
      proceed(key);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      close(e); // a failure, such as the pool's limit, affects only this client
    }
  }

  private void read() throws IOException {
    sizer.begin();
    boolean hasRead = true;
    while (hasRead) {
      hasRead = readOnce() && outbound.isWritable() && sizer.continueReading();
    }
    sizer.complete();
  }

  /**
   * Reads once, into a buffer that the sizer chooses from the sizes of earlier reads. Returns
   * whether there were bytes.
   */
  private boolean readOnce() throws IOException {
    ByteBuf buffer = sizer.allocate(transport.allocator());
    int attempted = buffer.writableBytes();
    int read = 0;
    try {
      read = buffer.writeBytes(channel, attempted);
    } finally {
      if (read <= 0) {
        buffer.release();
      }
    }
    sizer.record(attempted, read);
    if (read > 0) {
      take(buffer);
    }
    isInputEnded = read < 0;
    return read > 0;
  }

  private void take(ByteBuf input) {
    if (isDone()) {
      discardedBytes += input.readableBytes();
      input.release();
    } else {
      received(input);
    }
  }

  /** Writes all responses of this round with as few writes as the channel needs. */
  private void flush() throws IOException {
    do {
      outbound.flush();
      outbound.writeTo(channel);
    } while (outbound.isWritable() && resume());
  }

  /**
   * Stops reading from a client that does not read, so that it cannot increase the server's memory.
   */
  private void proceed(SelectionKey key) throws IOException {
    if (discardedBytes > MAX_DISCARDED_BYTES) {
      close(new ClosedChannelException());
    } else if (!outbound.hasFlushed() && (isInputEnded || isDone())) {
      end();
    }
    if (channel.isOpen()) {
      interest(key);
    }
  }

  private void interest(SelectionKey key) {
    int wanted =
        (outbound.hasFlushed() ? SelectionKey.OP_WRITE : 0)
            | (outbound.isWritable() && !isInputEnded ? SelectionKey.OP_READ : 0);
    if (wanted != interest) {
      interest = wanted;
      key.interestOps(wanted);
    }
  }

  /**
   * Ends the connection. If unread bytes remain, closing it at once could lose the last response.
   */
  private void end() throws IOException {
    if (isInputEnded) {
      close(new ClosedChannelException());
    } else if (!isOutputEnded) {
      isOutputEnded = true;
      channel.shutdownOutput();
    }
  }

  /** Closes the connection and releases all bytes that are not yet written. */
  final void close(Throwable cause) {
    released();
    outbound.close(cause);
    try {
      channel.close();
    } catch (IOException e) {
      // The channel is closed even after an exception.
    }
  }
}
