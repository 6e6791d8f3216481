/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import dev.cistern.leak.Holder;
import dev.cistern.leak.WatchFailures;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CisternChannels;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open channels of a copy of Netty, and the bytes that wait in them.
 *
 * <p>A registration adds its channel to a queue. Event loops also run two kinds of tasks. One lists
 * the channels of a loop, once, because channels from before the watch are not registered again.
 * The other reads the streams of an HTTP/2 connection with many pending bytes ({@link
 * Http2Counters}). The agent's thread polls Netty's own counters once a second. A channel is
 * referenced weakly, and forgotten when it is closed.
 */
public final class ChannelWatch {
  /** Limit of the channels that are watched: 6 MiB of Java heap. */
  static final int MAX_CHANNELS = 100_000;

  /** Limit of the registrations between two polls. */
  private static final int MAX_ARRIVALS = 65_536;

  /** Limit of the texts that channels share. */
  private static final int MAX_SHAPES = 1_024;

  private final Queue<WatchedChannel> arrivals = new ConcurrentLinkedQueue<>();

  /**
   * Number of the entries of {@link #arrivals}. The queue itself would traverse its entries to
   * count them.
   */
  private final AtomicInteger arrivalCount = new AtomicInteger();

  private final AtomicLong notWatched = new AtomicLong();

  /** The holders of handlers by their class. A holder has no reference to the class. */
  private final Map<Class<?>, Holder> handlers = Collections.synchronizedMap(new WeakHashMap<>());

  /** The event loops that were requested to list their channels. Any thread adds to it. */
  private final Set<EventLoop> listed = loops();

  /** Event loops of {@link #listed} that have no list of channels. */
  private final Set<EventLoop> unlisted = loops();

  /** Channels of such loops that were active since the latest poll. */
  private final Set<Channel> atWork =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Whether channels are watched. Written by the agent's thread. */
  private volatile boolean isOn;

  private volatile ChannelReport report = ChannelReport.NONE;

  // ---- the agent's thread only

  private ChannelTable table = new ChannelTable(MAX_CHANNELS);
  private final Map<String, String> shapes = new HashMap<>();
  private int polls;

  private static Set<EventLoop> loops() {
    return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  }

  /** Starts or ends the watch. */
  public void turn(boolean on) {
    isOn = on;
    CisternChannels.watching(on ? this::arrived : null);
    if (!on) {
      clear();
    }
  }

  private void clear() {
    clearArrivals();
    listed.clear();
    unlisted.clear();
    atWork.clear();
    shapes.clear();
    table = new ChannelTable(MAX_CHANNELS);
    report = ChannelReport.NONE;
  }

  private void clearArrivals() {
    while (arrivals.poll() != null) {
      arrivalCount.decrementAndGet();
    }
  }

  /** Returns the report of the latest poll. */
  public ChannelReport report() {
    return report;
  }

  /** Adds a channel. A thread of the application calls it. */
  private void arrived(Channel channel) {
    if (!isOn || channel instanceof ServerChannel) {
      return; // the latter has no outbound queue
    }
    if (arrivalCount.incrementAndGet() > MAX_ARRIVALS) {
      arrivalCount.decrementAndGet();
      notWatched.incrementAndGet();
      return;
    }
    arrivals.add(new WatchedChannel(channel));
    if (!isOn) { // the watch has ended meanwhile, and nothing polls the queue
      clearArrivals();
    }
  }

  /**
   * Returns the holder for a hint of a channel's pipeline; null for another hint. Any thread calls
   * it.
   */
  public @Nullable Holder handler(Object hint) {
    if (!(hint instanceof ChannelHandlerContext context)) {
      return null;
    }
    seen(context.channel());
    return handlers.computeIfAbsent(context.handler().getClass(), Holder::ofHandler);
  }

  /**
   * Adds the event loop of an active channel, which may have been registered before the watch
   * began. Any thread calls it.
   */
  private void seen(Channel channel) {
    if (isOn && channel.isRegistered()) {
      EventLoop loop = channel.eventLoop();
      list(loop);
      if (unlisted.contains(loop) && atWork.add(channel)) {
        arrived(channel); // the table drops a duplicate
      }
    }
  }

  /** Lets an event loop list its channels, once. */
  private void list(EventLoop loop) {
    if (loop instanceof SingleThreadEventLoop owner && listed.add(loop)) {
      try {
        owner.execute(() -> listChannels(owner));
      } catch (RejectedExecutionException ending) {
        return; // its channels are closed with it
      } catch (RuntimeException failure) { // an event loop of the application
        boolean unused = listed.remove(loop);
        throw failure;
      }
    }
  }

  /**
   * Adds the channels of an event loop, which calls it. Netty before 4.1.58 and some transports
   * have no such list.
   */
  private void listChannels(SingleThreadEventLoop loop) {
    if (!isOn) {
      boolean unused = listed.remove(loop); // the next watch requests it again
      return;
    }
    try {
      for (Iterator<Channel> each = loop.registeredChannelsIterator(); each.hasNext(); ) {
        arrived(each.next());
      }
    } catch (UnsupportedOperationException | NoSuchMethodError noList) {
      boolean unused = unlisted.add(loop); // its channels are added when they are active
    } catch (RuntimeException | LinkageError failure) {
      WatchFailures.add(failure);
    }
  }

  /** Reads the counters of all channels. The agent's thread calls it once a second. */
  public void poll() {
    if (!isOn) {
      return;
    }
    takeArrivals();
    atWork.clear();
    ChannelPoll poll = new ChannelPoll(++polls, this::handlers);
    table.retain(poll::read);
    report = poll.report(table.size(), notWatched.get());
  }

  private void takeArrivals() {
    WatchedChannel arrived;
    while ((arrived = arrivals.poll()) != null) {
      arrivalCount.decrementAndGet();
      Channel channel = arrived.get();
      try {
        if (channel != null && channel.isOpen() && channel.unsafe().outboundBuffer() != null) {
          take(arrived, channel);
        }
      } catch (RuntimeException | LinkageError failure) { // a channel class of the application
        WatchFailures.add(failure);
      }
    }
  }

  private void take(WatchedChannel arrived, Channel channel) {
    if (!table.add(arrived, channel)) {
      notWatched.incrementAndGet();
    }
    if (channel.isRegistered()) {
      list(channel.eventLoop());
    }
  }

  /**
   * Returns the handlers of a pipeline as text, with the same object for all channels of a shape.
   */
  private String handlers(ChannelPipeline pipeline) {
    if (shapes.size() >= MAX_SHAPES) {
      shapes.clear();
    }
    return shapes.computeIfAbsent(Handlers.of(pipeline), name -> name);
  }
}
