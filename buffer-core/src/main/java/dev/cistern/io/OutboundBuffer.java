/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for a connection to take them (seed row H1). They are {@linkplain #write
 * written} to a queue, {@linkplain #flush() flushed}, and {@linkplain #writeTo offered} to any
 * channel that gathers, many at a time; what the channel does not take is offered again from the
 * right byte on.
 *
 * <p>A message is a {@code ByteBuf} or a {@code ByteBufHolder}; its content is what is readable
 * when it is written. The buffer takes the caller's reference over in every case and gives it up
 * exactly once: when the channel has taken all bytes, or when the message fails, is refused or
 * cancelled. Until then nobody may change the content. The message's indices are not moved, so that
 * one buffer can be retained and wait for many connections. Content on the Java heap is copied to a
 * direct buffer when it is written, once.
 *
 * <p>One thread uses an outbound buffer; {@link #isWritable}, {@link #pendingBytes}, {@link
 * #pendingMessages} and {@link #failures} may be asked by any. Listeners are called on that thread,
 * and may call back. An idle connection costs this object of less than 100 bytes, and no array.
 */
public final class OutboundBuffer {
  /**
   * What a pending message counts for the {@linkplain WaterMarks water marks}, beside its bytes:
   * otherwise any number of empty ones could wait.
   */
  public static final int MESSAGE_OVERHEAD_BYTES = 64;

  private static final String WAITING = "pending in an outbound buffer";

  private static final VarHandle PENDING_BYTES = field("pendingBytes", long.class);
  private static final VarHandle PENDING_MESSAGES = field("pendingMessages", int.class);
  private static final VarHandle CLOSE_CAUSE = field("closeCause", Throwable.class);
  private static final VarHandle UNWRITABLE = field("unwritable", boolean.class);
  private static final VarHandle FAILURES = field("failures", int.class);

  private final OutboundSettings settings;
  private final OutboundEvents events;
  private @Nullable OutboundEntry first;
  private @Nullable OutboundEntry last;
  private int flushedMessages;

  /** Of these five, the one thread writes, any reads: opaque. */
  private int pendingMessages;

  private long pendingBytes;
  private @Nullable Throwable closeCause;
  private boolean unwritable;
  private int failures;

  /** In {@link #writeTo}. */
  private boolean isWriting;

  /** The first entries must stay until the channel says how much it took. */
  private boolean isOffering;

  /** So many of the first messages fail with this as soon as the channel returns. */
  private @Nullable Throwable failAfterOffer;

  private int messagesToFail;

  /**
   * The outbound buffer of one connection.
   *
   * @param settings shared by any number of connections
   * @param events told of this one
   */
  public OutboundBuffer(OutboundSettings settings, OutboundEvents events) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.events = Objects.requireNonNull(events, "events");
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(OutboundBuffer.class, name, type);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** As {@link #write(Object, WriteListener)}; a refusal is told to the {@link OutboundEvents}. */
  public boolean write(Object message) {
    return write(message, null);
  }

  /**
   * Puts a message at the end of the queue.
   *
   * @param message a {@code ByteBuf} or {@code ByteBufHolder}; its reference is taken over
   * @param listener hears what becomes of it; null for nobody
   * @return false if it was refused and released, and the listener was told why: it is of another
   *     type ({@link IllegalArgumentException}), was released already ({@link
   *     dev.cistern.util.IllegalReferenceCountException}), could not be copied, or the buffer is
   *     closed ({@link ClosedChannelException})
   */
  public boolean write(Object message, @Nullable WriteListener listener) {
    Objects.requireNonNull(message, "message");
    OutboundEntry entry;
    boolean isCopied;
    try {
      refuseIfClosed();
      ByteBuf bytes = Content.of(message);
      isCopied = Content.isToBeCopied(bytes);
      entry = isCopied ? filledWithCopy(bytes, listener) : filled(message, bytes, listener);
    } catch (Throwable refusal) {
      refuse(message, listener, refusal);
      return false;
    }
    append(entry);
    if (isCopied) {
      release(message);
    }
    updateWritability();
    return true;
  }

  /**
   * As {@link #write(Object, WriteListener)}, for those who wait on another thread. If the future
   * is cancelled before the channel took a byte of the message, the message is not sent, and is
   * released in its turn. Later the future is cancelled, and the message is sent all the same.
   */
  public CompletableFuture<@Nullable Void> writeWithFuture(Object message) {
    WriteFuture future;
    try {
      future = new WriteFuture();
    } catch (Throwable failure) { // no memory
      release(message);
      throw failure;
    }
    write(message, future);
    return future;
  }

  private void refuseIfClosed() throws ClosedChannelException {
    if (closeCause != null) {
      ClosedChannelException refusal = new ClosedChannelException();
      refusal.initCause(closeCause);
      throw refusal;
    }
  }

  private static OutboundEntry filled(
      Object message, ByteBuf bytes, @Nullable WriteListener listener) {
    OutboundEntry entry = ThreadScratch.current().entry();
    bytes.touch(WAITING);
    entry.fill(message, bytes, listener);
    return entry;
  }

  private OutboundEntry filledWithCopy(ByteBuf bytes, @Nullable WriteListener listener) {
    ByteBuf copy = Content.copied(bytes, settings.allocator());
    try {
      return filled(copy, copy, listener);
    } catch (Throwable failure) {
      copy.release();
      throw failure;
    }
  }

  private void refuse(Object message, @Nullable WriteListener listener, Throwable refusal) {
    if (!Content.isReleased(message)) {
      release(message);
    }
    if (listener == null) {
      report(refusal);
    } else {
      tell(listener, refusal);
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
    PENDING_BYTES.setOpaque(this, pendingBytes + bytes);
    PENDING_MESSAGES.setOpaque(this, pendingMessages + messages);
  }

  /** Offers all that was written so far to the channel with the next {@link #writeTo}. */
  public void flush() {
    flushedMessages = pendingMessages;
  }

  /**
   * Offers what was flushed to a channel, in gathering writes, until all is taken, the channel
   * takes nothing, or the {@linkplain OutboundSettings#maxWrites limit} is reached.
   *
   * @return how far it came
   * @throws IOException from the channel; how many bytes it took before is not known, so that the
   *     connection should be closed, and this buffer {@linkplain #close with it}
   * @throws RuntimeException from the channel; or because the next message cannot be read any more,
   *     since somebody released it or made it smaller. That message has failed then; the peer would
   *     not get what it was promised, so that the connection should be closed
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
   * Offers as much as one write can. While messages are gathered and written the first ones must
   * stay, whatever is called back.
   *
   * @return whether the channel took nothing
   */
  private boolean offerOnce(GatheringByteChannel channel) throws IOException {
    ThreadScratch scratch = ThreadScratch.current();
    GatheringArray array = scratch.lend();
    RuntimeException unreadable;
    long offered = 0;
    long taken = 0;
    isOffering = true;
    try {
      unreadable = gather(array);
      offered = array.bytes();
      if (offered > 0) {
        taken = array.writeTo(channel);
      }
    } catch (Throwable failure) {
      endOffer(scratch, array);
      removeTaken(0, null);
      throw failure;
    }
    endOffer(scratch, array);
    removeTaken(taken, unreadable);
    if (unreadable != null) {
      throw unreadable;
    }
    return offered > 0 && taken == 0;
  }

  private void endOffer(ThreadScratch scratch, GatheringArray array) {
    isOffering = false;
    scratch.takeBack(array);
  }

  /** Returns what is wrong with the first message; those before another one are offered first. */
  private @Nullable RuntimeException gather(GatheringArray array) {
    array.begin(settings);
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
   * Completes the messages of which all bytes were taken, and does what was put off meanwhile.
   *
   * @param unreadable what is wrong with the first message, null for nothing
   */
  private void removeTaken(long taken, @Nullable RuntimeException unreadable) {
    long rest = taken;
    int messages = 0;
    OutboundEntry end = null;
    OutboundEntry entry = first;
    while (entry != null && messages < flushedMessages && entry.left() <= rest) {
      rest -= entry.left();
      messages++;
      end = entry;
      entry = entry.next;
    }
    if (rest > 0 && entry != null) {
      entry.advance((int) rest);
      countPending(-rest, 0);
    }
    OutboundEntry written = end == null ? null : detach(end, messages, taken - rest);
    OutboundEntry bad = null;
    if (unreadable != null) {
      bad = detachFirst(1);
      messages++;
    }
    OutboundEntry failed = null;
    Throwable cause = closeCause;
    if (cause != null) {
      failed = detachFirst(pendingMessages);
    } else if (failAfterOffer != null) {
      cause = failAfterOffer;
      failed = detachFirst(messagesToFail - messages);
    }
    failAfterOffer = null;
    complete(written, null);
    complete(bad, unreadable);
    complete(failed, cause);
    updateWritability();
  }

  /** Takes the messages up to one out of the queue, which is whole again after that. */
  private OutboundEntry detach(OutboundEntry end, int messages, long bytes) {
    OutboundEntry chain = Objects.requireNonNull(first);
    first = end.next;
    end.next = null;
    if (first == null) {
      last = null;
    }
    flushedMessages = Math.max(0, flushedMessages - messages);
    countPending(-bytes, -messages);
    return chain;
  }

  private @Nullable OutboundEntry detachFirst(int messages) {
    OutboundEntry end = first;
    if (messages <= 0 || end == null) {
      return null;
    }
    long bytes = end.left();
    for (int more = messages - 1; more > 0 && end.next != null; more--) {
      end = end.next;
      bytes += end.left();
    }
    return detach(end, messages, bytes);
  }

  private void failFirst(int messages, Throwable cause) {
    complete(detachFirst(messages), cause);
    updateWritability();
  }

  /** Releases messages that are out of the queue, and tells their listeners, who may call back. */
  private void complete(@Nullable OutboundEntry chain, @Nullable Throwable failure) {
    if (chain == null) {
      return;
    }
    int entries = 0;
    for (OutboundEntry entry = chain; entry != null; entry = entry.next) {
      Object message = entry.message;
      WriteListener listener = entry.listener;
      entry.empty();
      if (message != null) {
        release(message);
      }
      if (listener != null) {
        entry.listener = null;
        tell(listener, failure);
      }
      entries++;
    }
    ThreadScratch.current().recycle(chain, entries);
  }

  private void release(Object message) {
    try {
      ReferenceCountUtil.release(message);
    } catch (Throwable failure) {
      report(failure);
    }
  }

  private void tell(WriteListener listener, @Nullable Throwable failure) {
    try {
      listener.completed(failure);
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private void report(Throwable failure) {
    FAILURES.setOpaque(this, failures + 1);
    try {
      events.failed(this, failure);
    } catch (Throwable dropped) {
      FAILURES.setOpaque(this, failures + 1);
    }
  }

  /**
   * Fails and releases what was flushed; what was only written stays. Called while the channel
   * writes, it takes effect as soon as the channel returns, on what was flushed when it was called.
   */
  public void failFlushed(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (isOffering) {
      failAfterOffer = cause;
      messagesToFail = flushedMessages;
    } else {
      failFirst(flushedMessages, cause);
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
   * @param cause what the listeners are told, as it is; later ones get it as the cause of a {@link
   *     ClosedChannelException}
   */
  public void close(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    if (closeCause == null) {
      CLOSE_CAUSE.setOpaque(this, cause);
    }
    if (!isOffering) {
      failFirst(pendingMessages, Objects.requireNonNull(closeCause));
    }
  }

  private void updateWritability() {
    long held = heldBytes();
    WaterMarks marks = settings.waterMarks();
    boolean crossed = unwritable ? held <= marks.low() : held > marks.high();
    if (!crossed || closeCause != null) {
      return;
    }
    UNWRITABLE.setOpaque(this, !unwritable);
    try {
      events.writabilityChanged(this, !unwritable);
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  private long heldBytes() {
    return pendingBytes + (long) MESSAGE_OVERHEAD_BYTES * pendingMessages;
  }

  /**
   * Whether the {@linkplain WaterMarks water marks} let more be written; false once it is closed.
   * It is advice: {@link #write} takes messages in any case.
   */
  public boolean isWritable() {
    return !(boolean) UNWRITABLE.getOpaque(this) && CLOSE_CAUSE.getOpaque(this) == null;
  }

  /** Bytes of pending messages that no channel has taken yet. */
  public long pendingBytes() {
    return (long) PENDING_BYTES.getOpaque(this);
  }

  /** Messages that are not completed. */
  public int pendingMessages() {
    return (int) PENDING_MESSAGES.getOpaque(this);
  }

  /** How often something failed that only {@link OutboundEvents#failed} heard of, or nobody. */
  public int failures() {
    return (int) FAILURES.getOpaque(this);
  }

  /** Whether there is something for {@link #writeTo}. */
  public boolean hasFlushed() {
    return flushedMessages > 0;
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return CLOSE_CAUSE.getOpaque(this) != null;
  }

  /**
   * Bytes that can be written before it is not writable any more, each message with {@link
   * #MESSAGE_OVERHEAD_BYTES}; 0 if it is not writable.
   */
  public long bytesBeforeUnwritable() {
    return isWritable() ? settings.waterMarks().high() - heldBytes() + 1 : 0;
  }

  /**
   * Bytes that must be taken by the channel, each message with {@link #MESSAGE_OVERHEAD_BYTES},
   * before it is writable again; 0 if it is writable.
   */
  public long bytesBeforeWritable() {
    return isWritable() ? 0 : Math.max(0, heldBytes() - settings.waterMarks().low());
  }
}
