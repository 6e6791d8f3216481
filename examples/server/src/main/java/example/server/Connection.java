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
 * A connection: reads while its client takes what it gets, and writes when the channel has room.
 * Used by its loop's thread only.
 */
abstract class Connection {
  /** What a client may send after the last answer, so that it gets that and not a reset. */
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

  /** Takes over what came. */
  abstract void received(ByteBuf input);

  /** Goes on with what waited for the outbound buffer; false if there was nothing. */
  abstract boolean resume();

  /** Whether nothing more will be written. */
  abstract boolean isDone();

  /** Releases what is held beside the outbound buffer. */
  abstract void released();

  /** To the client, with all else that is written until this loop has read enough. */
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

  /** Does what the selector found possible. */
  final void ready(SelectionKey key) {
    try {
      if (key.isReadable()) {
        read();
      }
      flush();
      proceed(key);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      close(e); // the pool's limit is reached, say: this client's loss, not that of all
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

  /** A buffer is taken for a read that will find something, and is as large as the last ones. */
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

  /** All that was answered in this round goes in as few writes as the channel needs. */
  private void flush() throws IOException {
    do {
      outbound.flush();
      outbound.writeTo(channel);
    } while (outbound.isWritable() && resume());
  }

  /** A client that does not read is not read from: so it cannot make us keep more and more. */
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

  /** Closed at once, with bytes unread, the client might lose the last answer. */
  private void end() throws IOException {
    if (isInputEnded) {
      close(new ClosedChannelException());
    } else if (!isOutputEnded) {
      isOutputEnded = true;
      channel.shutdownOutput();
    }
  }

  /** Releases all that is not written yet. */
  final void close(Throwable cause) {
    released();
    outbound.close(cause);
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
