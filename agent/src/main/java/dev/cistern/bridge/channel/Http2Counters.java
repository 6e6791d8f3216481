/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import dev.cistern.leak.WatchFailures;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
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
 * The counters of one HTTP/2 connection, which Netty's codec keeps for itself. They are plain
 * fields that an event loop writes: a poll on another thread may see a value that is slightly old.
 * A counter that this version of Netty does not have is 0.
 */
final class Http2Counters {
  /** Of the controller of what is sent: the object with the sum of the bytes that wait. */
  private static final PrivateField MONITOR = new PrivateField("monitor");

  private static final PrivateField PENDING = new PrivateField("totalPendingBytes");

  /** Of the same controller: the key of the state of a stream. */
  private static final PrivateField SENDING_STATE_KEY = new PrivateField("stateKey");

  /** Of the controller of what is received: the key of the state of a stream. */
  private static final PrivateField STATE_KEY = new PrivateField("stateKey");

  /** The window that the peer sees. */
  private static final PrivateField WINDOW = new PrivateField("window");

  /** The same, if the application had consumed all bytes. */
  private static final PrivateField PROCESSED = new PrivateField("processedWindow");

  /** Limit of the streams of a connection that one task reads. */
  private static final int MAX_STREAMS = 10_000;

  /** Fewer waiting bytes of a connection are not divided among its streams. */
  private static final long MIN_BYTES = 64 << 10;

  private final WeakReference<Http2Connection> connection;

  /** The result of the latest task of the event loop. */
  private volatile Waiting waiting = Waiting.NONE;

  private Http2Counters(Http2Connection connection) {
    this.connection = new WeakReference<>(connection);
  }

  /** Returns the counters of the connection that a pipeline serves; null if it serves none. */
  static @Nullable Http2Counters of(ChannelPipeline pipeline) {
    ChannelHandlerContext context = pipeline.context(Http2ConnectionHandler.class);
    ChannelHandler handler = context == null ? null : context.handler();
    return handler instanceof Http2ConnectionHandler http2
        ? new Http2Counters(http2.connection())
        : null;
  }

  /**
   * Values of the counters.
   *
   * @param active number of open streams
   * @param opened number of streams that both sides have opened
   * @param pendingBytes bytes that wait for flow control
   * @param unreadBytes received bytes of open streams that the application has not consumed
   */
  record Values(int active, long opened, long pendingBytes, long unreadBytes) {
    static final Values NONE = new Values(0, 0, 0, 0);
  }

  Values read() {
    Http2Connection http2 = connection.get();
    if (http2 == null) {
      return Values.NONE;
    }
    return new Values(
        http2.numActiveStreams(),
        opened(http2.local().lastStreamCreated()) + opened(http2.remote().lastStreamCreated()),
        Math.max(0, PENDING.number(MONITOR.value(http2.remote().flowController()))),
        unreadBytes(http2));
  }

  /** The streams with waiting bytes. */
  private record Waiting(int streams, int largest, long largestBytes) {
    static final Waiting NONE = new Waiting(0, 0, 0);
  }

  /**
   * Returns the streams of this connection, and lets its event loop read their waiting bytes for
   * the next call. Only the event loop may read the list of streams. A connection with few waiting
   * bytes needs no task.
   */
  ChannelReport.StreamQueues streams(EventLoop loop, Values values) {
    Http2Connection http2 = connection.get();
    Object key = http2 == null ? null : SENDING_STATE_KEY.value(http2.remote().flowController());
    if (values.pendingBytes() < MIN_BYTES) {
      waiting = Waiting.NONE;
    } else if (http2 != null && key instanceof Http2Connection.PropertyKey known) {
      try {
        loop.execute(() -> waiting = waiting(http2, known));
      } catch (RejectedExecutionException ending) {
        waiting = Waiting.NONE;
      }
    }
    Waiting latest = waiting;
    return new ChannelReport.StreamQueues(
        values.active(),
        values.pendingBytes(),
        latest.streams,
        latest.largest,
        latest.largestBytes);
  }

  /** The event loop calls it. */
  private static Waiting waiting(Http2Connection http2, Http2Connection.PropertyKey key) {
    WaitingStreams found = new WaitingStreams(key);
    try {
      Http2Stream unused = http2.forEachActiveStream(found);
    } catch (Http2Exception | RuntimeException failure) {
      WatchFailures.add(failure);
    }
    return new Waiting(found.count, found.largest, found.largestBytes);
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

  /** Returns the number of streams up to an id: one side uses odd ids, the other even ones. */
  private static long opened(int lastStream) {
    return (lastStream + 1L) / 2;
  }

  /** The state of the connection counts the bytes of all its streams. */
  private static long unreadBytes(Http2Connection http2) {
    Object key = STATE_KEY.value(http2.local().flowController());
    if (!(key instanceof Http2Connection.PropertyKey known)) {
      return 0;
    }
    Object state = http2.connectionStream().getProperty(known);
    return Math.max(0, PROCESSED.number(state) - WINDOW.number(state));
  }
}
