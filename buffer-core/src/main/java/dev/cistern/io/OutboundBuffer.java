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
 * Messages that wait for a connection to take them. They are {@linkplain #write written} to a
 * queue, {@linkplain #flush() flushed}, and {@linkplain #writeTo offered} to any channel that
 * gathers, many at a time. Bytes that the channel does not take are offered again.
 *
 * <p>A message is a {@code ByteBuf} or a {@code ByteBufHolder}; its content is what is readable
 * when it is written. The buffer takes the caller's reference over in every case and releases it
 * exactly once: when the channel has taken all bytes, or when the message fails, is refused or
 * cancelled. Until then the content must not change. The message's indices are not moved, so that
 * one buffer can be retained and wait for many connections. Content on the Java heap is copied to a
 * direct buffer when it is written, once.
 *
 * <p>One thread uses an outbound buffer; any thread may call {@link #isWritable}, {@link
 * #pendingBytes}, {@link #pendingMessages}, {@link #isClosed} and {@link #failures}. Listeners are
 * called on the one thread, and may call back. An idle connection costs this object of less than
 * 100 bytes, and no array.
 */
public final class OutboundBuffer {
  /**
   * Bytes that a pending message counts for the {@linkplain WaterMarks water marks}, in addition to
   * its content: otherwise any number of empty messages could wait.
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

  // One thread writes these five, any thread reads them.
  private volatile int pendingMessages;
  private volatile long pendingBytes;
  private volatile @Nullable Throwable closeCause;
  private volatile boolean unwritable;
  private volatile int failures;

  /** In {@link #writeTo}. */
  private boolean isWriting;

  /** The first entries must stay until the channel returns how much it took. */
  private boolean isOffering;

  /** The first messages fail with this cause as soon as the channel returns. */
  private @Nullable Throwable failAfterOffer;

  private int messagesToFail;

  /**
   * Creates the outbound buffer of one connection.
   *
   * @param settings shared by any number of connections
   * @param events receives the events of this one
   */
  public OutboundBuffer(OutboundSettings settings, OutboundListener events) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.events = Objects.requireNonNull(events, "events");
  }

  /** As {@link #write(Object, WriteListener)}; {@link OutboundListener#failed} gets a refusal. */
  public boolean write(Object message) {
    return write(message, null);
  }

  /**
   * Puts a message at the end of the queue.
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
   * As {@link #write(Object, WriteListener)}, with a future for other threads. If the future is
   * cancelled before the channel took a byte of the message, the message is not sent, and is
   * released in its turn. If it is cancelled later, the message is sent all the same.
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

  /** Returns whether there is nothing left to release; false if the message cannot say it. */
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

  /** Lets the next {@link #writeTo} offer all messages that were written so far. */
  public void flush() {
    flushedMessages = pendingMessages;
  }

  /**
   * Offers the flushed messages to a channel, in gathering writes, until it has taken all, it takes
   * nothing, or the {@linkplain OutboundSettings#maxWrites limit} is reached.
   *
   * @throws IOException from the channel. The number of bytes that it took before is not known, so
   *     close the connection, and this buffer {@linkplain #close with it}
   * @throws RuntimeException from the channel; or because the next message cannot be read any more:
   *     its owner released it or made it smaller. That message has failed; the peer would miss its
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

  /** Returns why the first message cannot be read; messages before an unreadable one go first. */
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
   * Completes the messages of which the channel took all bytes, and fails those that were to fail
   * meanwhile. No listener is called before all of them are out of the queue.
   *
   * @param unreadable why the first message cannot be read, or null
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
   * Takes the first messages out of the queue, which is whole again after that: up to a number of
   * messages, as long as their bytes are within a limit.
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
   * Releases messages that are out of the queue, and calls their listeners, which may call back.
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
   * Fails and releases the messages that were flushed; those that were only written stay. Called
   * while the channel writes, it takes effect as soon as the channel returns, on the messages that
   * are flushed now.
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

  /** As {@link #close(Throwable)}, for an end without a fault: a {@link ClosedChannelException}. */
  public void close() {
    close(new ClosedChannelException());
  }

  /**
   * Fails and releases all messages, and refuses those that are written later. Called while the
   * channel writes, it takes effect on the messages as soon as the channel returns. The first cause
   * counts.
   *
   * @param cause given to the listeners as it is, and to those of later messages as the cause of a
   *     {@link ClosedChannelException}
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
   * Returns whether the {@linkplain WaterMarks water marks} let more messages be written; false
   * once the buffer is closed. This is advice: {@link #write} takes messages in any case.
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
   * Returns how many bytes can be written before the buffer is not writable any more, each message
   * with {@link #MESSAGE_OVERHEAD_BYTES}; 0 if it is not writable.
   */
  public long bytesBeforeUnwritable() {
    return isWritable() ? settings.waterMarks().high() - heldBytes() + 1 : 0;
  }

  /**
   * Returns how many bytes the channel must take, each message with {@link
   * #MESSAGE_OVERHEAD_BYTES}, before the buffer is writable again; 0 if it is writable.
   */
  public long bytesBeforeWritable() {
    return isWritable() ? 0 : Math.max(0, heldBytes() - settings.waterMarks().low());
  }
}
