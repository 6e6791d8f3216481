/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import dev.cistern.leak.WatchFailures;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamVisitor;
import io.netty.handler.codec.http2.StreamByteDistributor;
import java.lang.ref.WeakReference;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one HTTP/2 connection, which are private fields of Netty's codec. They are plain
 * fields that an event loop writes, so a poll on another thread may read a slightly old value.
 */
final class Http2Counters extends WeakReference<Http2ConnectionHandler> {
  /** Value of a counter that this version of Netty does not have, or that cannot be read. */
  static final long UNKNOWN = ChannelReport.Streams.UNKNOWN;

  /** Field of the sending flow controller: the object with the sum of the waiting bytes. */
  private static final PrivateField MONITOR = new PrivateField("monitor");

  private static final PrivateField PENDING = new PrivateField("totalPendingBytes");

  /** Field of the sending flow controller: the key of a stream's state. */
  private static final PrivateField SENDING_STATE_KEY = new PrivateField("stateKey");

  /** Field of the receiving flow controller: the key of a stream's state. */
  private static final PrivateField STATE_KEY = new PrivateField("stateKey");

  /** The window that the peer sees. */
  private static final PrivateField WINDOW = new PrivateField("window");

  /** The window that the peer would see if the application had consumed all bytes. */
  private static final PrivateField PROCESSED = new PrivateField("processedWindow");

  /** Field of a gRPC handler: the object that counts its calls. */
  private static final PrivateField TRACER = new PrivateField("transportTracer");

  private static final PrivateField FAILED = new PrivateField("streamsFailed");

  /** Limit of the streams of a connection that one task reads. */
  private static final int MAX_STREAMS = 10_000;

  /** Smallest number of waiting bytes of a connection that are divided among its streams. */
  private static final long MIN_BYTES = 64 << 10;

  /** The result of the latest task. */
  private volatile @Nullable WaitingStreams latest;

  /** Whether a task waits or runs. A blocked thread gets only one task. */
  private volatile boolean isReading;

  private Http2Counters(Http2ConnectionHandler handler) {
    super(handler);
  }

  /** Returns the class of the codec. It fails if the application does not have the codec. */
  static Class<?> codec() {
    return Http2ConnectionHandler.class;
  }

  /**
   * Returns the counters of the connection that a pipeline serves; null if it serves none.
   *
   * @param known the counters of an earlier call
   */
  static @Nullable Http2Counters of(ChannelPipeline pipeline, @Nullable Http2Counters known) {
    ChannelHandlerContext context = pipeline.context(Http2ConnectionHandler.class);
    ChannelHandler handler = context == null ? null : context.handler();
    if (!(handler instanceof Http2ConnectionHandler http2)) {
      return null;
    }
    return known != null && known.refersTo(http2) ? known : new Http2Counters(http2);
  }

  /**
   * Values of the counters.
   *
   * @param active number of open streams
   * @param opened number of streams that both sides have opened
   * @param failed number of calls that ended without success; {@link #UNKNOWN} if the connection
   *     does not use gRPC
   * @param pendingBytes bytes that wait for flow control; 0 if that is not known
   * @param unreadBytes received bytes of open streams that the application has not consumed; {@link
   *     #UNKNOWN} if that is not known
   */
  record Values(int active, long opened, long failed, long pendingBytes, long unreadBytes) {
    static final Values NONE = new Values(0, 0, UNKNOWN, 0, UNKNOWN);
  }

  Values read() {
    Http2ConnectionHandler handler = get();
    if (handler == null) {
      return Values.NONE;
    }
    Http2Connection http2 = handler.connection();
    return new Values(
        http2.numActiveStreams(),
        opened(http2.local().lastStreamCreated()) + opened(http2.remote().lastStreamCreated()),
        Math.max(UNKNOWN, FAILED.number(TRACER.value(handler))),
        Math.max(0, PENDING.number(MONITOR.value(http2.remote().flowController()))),
        unreadBytes(http2));
  }

  /**
   * Returns the streams of this connection, and lets the thread of its handler read their waiting
   * bytes for the next call: only that thread may read the list of streams. A connection with few
   * waiting bytes needs no task.
   */
  ChannelReport.StreamQueues streams(ChannelPipeline pipeline, Values values) {
    if (values.pendingBytes() < MIN_BYTES) {
      latest = null;
    } else if (!isReading) {
      requestRead(pipeline);
    }
    WaitingStreams found = latest;
    return found == null
        ? new ChannelReport.StreamQueues(values.active(), values.pendingBytes(), 0, 0, 0)
        : new ChannelReport.StreamQueues(
            values.active(), values.pendingBytes(), found.count, found.largest, found.largestBytes);
  }

  private void requestRead(ChannelPipeline pipeline) {
    Http2ConnectionHandler handler = get();
    ChannelHandlerContext context = handler == null ? null : pipeline.context(handler);
    if (handler == null || context == null) {
      return; // removed meanwhile
    }
    Object key = SENDING_STATE_KEY.value(handler.connection().remote().flowController());
    if (key instanceof Http2Connection.PropertyKey known) {
      isReading = true;
      try {
        context.executor().execute(() -> readStreams(known));
      } catch (RejectedExecutionException ending) {
        isReading = false;
      } catch (RuntimeException failure) { // an executor of the application
        isReading = false;
        throw failure;
      }
    }
  }

  /**
   * Reads the streams. The thread of the handler calls it. Its task refers to the connection
   * weakly.
   */
  private void readStreams(Http2Connection.PropertyKey key) {
    try {
      Http2ConnectionHandler handler = get();
      if (handler != null) {
        WaitingStreams found = new WaitingStreams(key);
        Http2Stream unused = handler.connection().forEachActiveStream(found);
        latest = found;
      }
    } catch (Http2Exception | RuntimeException | LinkageError failure) {
      WatchFailures.add(failure);
    } finally {
      isReading = false;
    }
  }

  /** Reads the streams of a connection. */
  private static final class WaitingStreams implements Http2StreamVisitor {
    private final Http2Connection.PropertyKey key;
    private int visited;
    private int count;
    private int largest;
    private long largestBytes;

    WaitingStreams(Http2Connection.PropertyKey key) {
      this.key = key;
    }

    @Override
    public boolean visit(Http2Stream stream) {
      Object state = stream.getProperty(key);
      if (state instanceof StreamByteDistributor.StreamState queue && queue.pendingBytes() > 0) {
        count++;
        if (queue.pendingBytes() > largestBytes) {
          largest = stream.id();
          largestBytes = queue.pendingBytes();
        }
      }
      return ++visited < MAX_STREAMS;
    }
  }

  /**
   * Returns the number of streams up to an ID. Each side uses every second ID: one the odd ones,
   * the other the even ones.
   */
  private static long opened(int lastStream) {
    return (lastStream + 1L) / 2;
  }

  /**
   * Returns the bytes of all streams that the application has not consumed, from the state of the
   * connection.
   */
  private static long unreadBytes(Http2Connection http2) {
    Object key = STATE_KEY.value(http2.local().flowController());
    if (!(key instanceof Http2Connection.PropertyKey known)) {
      return UNKNOWN;
    }
    Object state = http2.connectionStream().getProperty(known);
    long processed = PROCESSED.number(state);
    long window = WINDOW.number(state);
    return processed == PrivateField.ABSENT || window == PrivateField.ABSENT
        ? UNKNOWN
        : Math.max(0, processed - window);
  }
}
