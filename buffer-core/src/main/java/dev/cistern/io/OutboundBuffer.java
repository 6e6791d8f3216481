/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufHolder;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A queue of messages that wait for a connection. They are {@linkplain #write written} to the
 * queue, {@linkplain #flush() flushed}, and {@linkplain #writeTo offered} to any gathering channel,
 * many at a time. Bytes that the channel does not take are offered again.
 *
 * <p>A message is a {@code ByteBuf} or a {@code ByteBufHolder}; its content is the readable bytes
 * at the time of the write. The buffer always takes the caller's reference over, and releases it
 * exactly once: when the channel has taken all bytes, or when the message fails, is refused or is
 * cancelled. Until then the content must not change. The indices of the message do not move, so one
 * buffer can be retained and wait for many connections. Content on the Java heap is copied to a
 * direct buffer once, at the time of the write.
 *
 * <p>One thread uses an outbound buffer; any thread may call {@link #isWritable}, {@link
 * #pendingBytes}, {@link #pendingMessages}, {@link #isClosed} and {@link #failures}. Listeners run
 * on this one thread, and may call back. For an idle connection, this object has less than 100
 * bytes, and no array.
 */
public final class OutboundBuffer {
  /**
   * The number of bytes that a pending message adds to its content in the {@linkplain WaterMarks
   * water marks}. Without it, any number of empty messages could wait.
   */
  public static final int MESSAGE_OVERHEAD_BYTES = 64;

  private static final String WAITING = "pending in an outbound buffer";

  // Written lazily: a full fence for each message would cost more than the message.
  private static final AtomicLongFieldUpdater<OutboundBuffer> PENDING_BYTES =
      AtomicLongFieldUpdater.newUpdater(OutboundBuffer.class, "pendingBytes");
  private static final AtomicIntegerFieldUpdater<OutboundBuffer> PENDING_MESSAGES =
      AtomicIntegerFieldUpdater.newUpdater(OutboundBuffer.class, "pendingMessages");
  private static final AtomicIntegerFieldUpdater<OutboundBuffer> FAILURES =
      AtomicIntegerFieldUpdater.newUpdater(OutboundBuffer.class, "failures");

  private final OutboundSettings settings;
  private final OutboundListener events;
  private @Nullable OutboundEntry first;
  private @Nullable OutboundEntry last;
  private int flushedMessages;

  // One thread writes these five fields; any thread reads them.
  private volatile int pendingMessages;
  private volatile long pendingBytes;
  private volatile @Nullable Throwable closeCause;
  private volatile boolean unwritable;
  private volatile int failures;

  /** Whether {@link #writeTo} is running. */
  private boolean isWriting;

  /**
   * Whether a channel is writing. The first entries must stay until the channel returns the number
   * of bytes that it took.
   */
  private boolean isOffering;

  /** The cause with which the first messages fail as soon as the channel returns; null for none. */
  private @Nullable Throwable failAfterOffer;

  private int messagesToFail;

  /**
   * Creates the outbound buffer of one connection.
   *
   * @param settings shared by any number of connections
   * @param events receives the events of this connection
   */
  public OutboundBuffer(OutboundSettings settings, OutboundListener events) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.events = Objects.requireNonNull(events, "events");
  }

  /**
   * Writes a message as {@link #write(Object, WriteListener)} does; {@link OutboundListener#failed}
   * receives a refusal.
   */
  public boolean write(Object message) {
    return write(message, null);
  }

  /**
   * Adds a message at the end of the queue.
   *
   * @param message a {@code ByteBuf} or {@code ByteBufHolder}; its reference is taken over
   * @param listener receives the result, unless null
   * @return false if the message was refused and released, and the listener got the cause: it is of
   *     another type ({@link IllegalArgumentException}), was released already ({@link
   *     IllegalReferenceCountException}), could not be copied, or the buffer is closed ({@link
   *     ClosedChannelException})
   */
  public boolean write(Object message, @Nullable WriteListener listener) {
    Objects.requireNonNull(message, "message");
    OutboundEntry entry;
    ByteBuf copy = null;
    try {
      if (closeCause != null) {
        throw new ClosedChannelException().initCause(closeCause);
      }
      ByteBuf bytes = content(message);
      if (!bytes.isDirect() && bytes.isReadable()) {
        int length = bytes.readableBytes();
        copy = settings.allocator().directBuffer(length, length);
        copy.writeBytes(bytes, bytes.readerIndex(), length);
        bytes = copy;
      }
      bytes.touch(WAITING);
      entry = OutboundEntry.newInstance(copy == null ? message : copy, bytes, listener);
    } catch (Throwable refusal) {
      release(copy);
      refuse(message, listener, refusal);
      return false;
    }
    append(entry);
    if (copy != null) {
      release(message);
    }
    updateWritability();
    return true;
  }

  /**
   * Writes a message as {@link #write(Object, WriteListener)} does, with a future for other
   * threads. If a thread cancels the future before the channel took a byte of the message, the
   * message is not sent, and is released in its turn. A later cancellation has no effect on the
   * message.
   */
  public CompletableFuture<@Nullable Void> writeWithFuture(Object message) {
    WriteFuture future;
    try {
      future = new WriteFuture();
    } catch (Throwable failure) { // out of memory
      release(message);
      throw failure;
    }
    write(message, future);
    return future;
  }

  /** Returns the buffer of a message, which must not be released. */
  private static ByteBuf content(Object message) {
    Object content = message instanceof ByteBufHolder holder ? holder.content() : message;
    if (content instanceof ByteBuf bytes) {
      return ByteBufUtil.ensureAccessible(bytes);
    }
    String type = message.getClass().getName();
    throw new IllegalArgumentException(
        "message of " + type + " (expected: a ByteBuf or a ByteBufHolder)");
  }

  private void refuse(Object message, @Nullable WriteListener listener, Throwable refusal) {
    if (!isReleased(message)) {
      release(message);
    }
    if (listener == null) {
      report(refusal);
    } else {
      callBack(listener, refusal);
    }
  }

  /** Returns whether a message is released already; false if this is unknown. */
  private static boolean isReleased(Object message) {
    try {
      return ReferenceCountUtil.refCnt(message) == 0;
    } catch (RuntimeException | Error unknown) {
      return false;
    }
  }

  private void append(OutboundEntry entry) {
    OutboundEntry before = last;
    if (before == null) {
      first = entry;
    } else {
      before.next = entry;
    }
    last = entry;
    countPending(entry.left(), 1);
  }

  private void countPending(long bytes, int messages) {
    PENDING_BYTES.lazySet(this, pendingBytes + bytes);
    PENDING_MESSAGES.lazySet(this, pendingMessages + messages);
  }

  /**
   * Flushes all messages that were written so far, so that the next {@link #writeTo} offers them.
   */
  public void flush() {
    flushedMessages = pendingMessages;
  }

  /**
   * Offers the flushed messages to a channel, in gathering writes, until it has taken all, it takes
   * nothing, or the {@linkplain OutboundSettings#maxWrites limit} is reached.
   *
   * @throws IOException from the channel. The number of bytes that it took before is unknown, so
   *     close the connection, and this buffer {@linkplain #close with it}
   * @throws RuntimeException from the channel; or because the next message cannot be read any more,
   *     after its owner released or shrank it. That message has failed; the peer would miss its
   *     bytes, so close the connection
   */
  public WriteProgress writeTo(GatheringByteChannel channel) throws IOException {
    if (isWriting) {
      return WriteProgress.MORE;
    }
    isWriting = true;
    try {
      for (int writes = 0; flushedMessages > 0; writes++) {
        if (writes == settings.maxWrites()) {
          return WriteProgress.MORE;
        }
        if (offerOnce(channel) && flushedMessages > 0) {
          return WriteProgress.CHANNEL_FULL;
        }
      }
      return WriteProgress.ALL_WRITTEN;
    } finally {
      isWriting = false;
    }
  }

  /**
   * Offers as many bytes as one write can. The offered messages stay in the queue until the channel
   * returns, even if the channel or a message calls methods of this buffer.
   *
   * @return whether the channel took nothing
   */
  private boolean offerOnce(GatheringByteChannel channel) throws IOException {
    GatheringArray array = GatheringArray.begin(settings);
    RuntimeException unreadable = null;
    long offered = 0;
    long taken = 0;
    isOffering = true;
    try {
      unreadable = gather(array);
      offered = array.bytes();
      taken = array.writeTo(channel);
    } finally {
      isOffering = false;
      array.end();
      removeTaken(taken, unreadable);
    }
    if (unreadable != null) {
      throw unreadable;
    }
    return offered > 0 && taken == 0;
  }

  /**
   * Gathers the bytes of messages. Returns the exception for which the first message cannot be
   * read; an unreadable message after it only ends the gathering.
   */
  private @Nullable RuntimeException gather(GatheringArray array) {
    OutboundEntry entry = first;
    for (int left = flushedMessages; left > 0 && entry != null && array.hasRoom(); left--) {
      if (entry.isCancelled()) {
        countPending(-entry.left(), 0);
        entry.skip();
      }
      try {
        entry.gather(array);
      } catch (RuntimeException unreadable) {
        return entry == first ? unreadable : null;
      }
      entry = entry.next;
    }
    return null;
  }

  /**
   * Completes the messages of which the channel took all bytes, and fails those for which a failure
   * was requested meanwhile. Removes all of them from the queue before the first call of a
   * listener.
   *
   * @param unreadable the exception for which the first message cannot be read, or null
   */
  private void removeTaken(long taken, @Nullable RuntimeException unreadable) {
    long bytesBefore = pendingBytes;
    int messagesBefore = pendingMessages;
    OutboundEntry written = detach(flushedMessages, taken);
    long rest = taken - (bytesBefore - pendingBytes);
    if (rest > 0 && first != null) {
      first.advance((int) rest);
      countPending(-rest, 0);
    }
    OutboundEntry bad = unreadable == null ? null : detach(1, Long.MAX_VALUE);
    int done = messagesBefore - pendingMessages;
    OutboundEntry failed = detach(messagesToFail - done, Long.MAX_VALUE);
    Throwable cause = failAfterOffer;
    failAfterOffer = null;
    messagesToFail = 0;
    complete(written, null);
    complete(bad, unreadable);
    complete(failed, cause);
    updateWritability();
  }

  /**
   * Removes the first messages from the queue: up to a number of messages, as long as their bytes
   * are within a limit. Afterwards the queue is consistent.
   */
  private @Nullable OutboundEntry detach(int maxMessages, long maxBytes) {
    OutboundEntry chain = first;
    OutboundEntry end = null;
    int messages = 0;
    long bytes = 0;
    OutboundEntry entry = chain;
    while (entry != null && messages < maxMessages && entry.left() <= maxBytes - bytes) {
      bytes += entry.left();
      messages++;
      end = entry;
      entry = entry.next;
    }
    if (end == null) {
      return null;
    }
    first = entry;
    end.next = null;
    if (entry == null) {
      last = null;
    }
    flushedMessages = Math.max(0, flushedMessages - messages);
    countPending(-bytes, -messages);
    return chain;
  }

  /**
   * Releases messages that were removed from the queue, and calls their listeners, which may call
   * back.
   */
  private void complete(@Nullable OutboundEntry chain, @Nullable Throwable failure) {
    for (OutboundEntry entry = chain; entry != null; entry = entry.next) {
      Object message = entry.message;
      WriteListener listener = entry.listener;
      entry.clear();
      release(message);
      if (listener != null) {
        callBack(listener, failure);
      }
    }
    if (chain != null) {
      FreeEntries.current().addAll(chain); // last, because it can run out of memory
    }
  }

  private void release(@Nullable Object message) {
    try {
      ReferenceCountUtil.release(message);
    } catch (Throwable failure) {
      report(failure);
    }
  }

  private void callBack(WriteListener listener, @Nullable Throwable failure) {
    try {
      listener.completed(failure);
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private void report(Throwable failure) {
    FAILURES.incrementAndGet(this);
    try {
      events.failed(this, failure);
    } catch (Throwable dropped) {
      FAILURES.incrementAndGet(this);
    }
  }

  /**
   * Fails and releases the flushed messages; those that were only written stay. A call while the
   * channel writes has its effect as soon as the channel returns, on the messages that are flushed
   * now.
   */
  public void failFlushed(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (closeCause == null) {
      fail(flushedMessages, cause);
    }
  }

  private void fail(int messages, Throwable cause) {
    if (isOffering) {
      failAfterOffer = cause;
      messagesToFail = messages;
    } else {
      complete(detach(messages, Long.MAX_VALUE), cause);
      updateWritability();
    }
  }

  /**
   * Closes the buffer as {@link #close(Throwable)} does, with a {@link ClosedChannelException}, for
   * an end without a failure.
   */
  public void close() {
    close(new ClosedChannelException());
  }

  /**
   * Closes the buffer: fails and releases all messages, and refuses later ones. A call while the
   * channel writes affects the messages as soon as the channel returns. Only the cause of the first
   * call is used.
   *
   * @param cause the failure that the listeners receive; listeners of later messages receive a
   *     {@link ClosedChannelException} with this cause
   */
  public void close(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (closeCause == null) {
      closeCause = cause;
    }
    fail(pendingMessages, Objects.requireNonNull(closeCause));
  }

  private void updateWritability() {
    long held = heldBytes();
    WaterMarks marks = settings.waterMarks();
    boolean wasWritable = !unwritable;
    boolean isCrossed = wasWritable ? held > marks.high() : held <= marks.low();
    if (!isCrossed || closeCause != null) {
      return;
    }
    unwritable = wasWritable;
    try {
      events.writabilityChanged(this, !wasWritable);
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private long heldBytes() {
    return pendingBytes + (long) MESSAGE_OVERHEAD_BYTES * pendingMessages;
  }

  /**
   * Returns whether the {@linkplain WaterMarks water marks} allow more messages; false once the
   * buffer is closed. This is advice: {@link #write} accepts messages in any case.
   */
  public boolean isWritable() {
    return !unwritable && closeCause == null;
  }

  /** Returns the number of bytes of pending messages that no channel has taken yet. */
  public long pendingBytes() {
    return pendingBytes;
  }

  /** Returns the number of messages that are not completed. */
  public int pendingMessages() {
    return pendingMessages;
  }

  /** Returns the number of failures that no {@link WriteListener} received. */
  public int failures() {
    return failures;
  }

  /** Returns whether there are messages for {@link #writeTo}. */
  public boolean hasFlushed() {
    return flushedMessages > 0;
  }

  /** Returns whether {@link #close} was called. */
  public boolean isClosed() {
    return closeCause != null;
  }

  /**
   * Returns the number of bytes that can be written before the buffer is not writable any more,
   * including {@link #MESSAGE_OVERHEAD_BYTES} for each message; 0 if it is not writable.
   */
  public long bytesBeforeUnwritable() {
    return isWritable() ? settings.waterMarks().high() - heldBytes() + 1 : 0;
  }

  /**
   * Returns the number of bytes that the channel must take before the buffer is writable again,
   * including {@link #MESSAGE_OVERHEAD_BYTES} for each message; 0 if it is writable.
   */
  public long bytesBeforeWritable() {
    return isWritable() ? 0 : Math.max(0, heldBytes() - settings.waterMarks().low());
  }
}
