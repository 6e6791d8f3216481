/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import dev.cistern.leak.Holder;
import dev.cistern.leak.WatchFailures;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CisternChannels;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import java.util.Collections;
import java.util.Iterator;
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
 * <p>A registration adds its channel to a queue. Nothing else runs on threads of the application,
 * with one exception: a task lists the channels of each event loop once, because channels that were
 * registered before the watch began would be unknown otherwise. The agent's thread polls Netty's
 * own counters once a second. A channel is referenced weakly, and forgotten when it is closed.
 */
public final class ChannelWatch {
  /** Limit of the channels that are watched: 6 MiB of Java heap. */
  static final int MAX_CHANNELS = 100_000;

  /** Limit of the registrations between two polls. */
  private static final int MAX_ARRIVALS = 65_536;

  private final Queue<WatchedChannel> arrivals = new ConcurrentLinkedQueue<>();

  /** Size of {@link #arrivals}, which is expensive to ask. */
  private final AtomicInteger arrivalCount = new AtomicInteger();

  private final AtomicLong notWatched = new AtomicLong();

  /** The event loops whose channels were listed, or will be. Any thread adds to it. */
  private final Set<EventLoop> listed =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Written by the agent's thread. */
  private volatile boolean isOn;

  private volatile ChannelReport report = ChannelReport.NONE;

  // ---- the agent's thread only

  private ChannelTable table = new ChannelTable(MAX_CHANNELS);
  private int polls;

  /** Begins or ends the watch. */
  public void turn(boolean on) {
    if (on == isOn) {
      return;
    }
    isOn = on;
    CisternChannels.watching(on ? this::arrived : null);
    if (!on) {
      clear();
    }
  }

  private void clear() {
    arrivals.clear();
    arrivalCount.set(0);
    listed.clear();
    table = new ChannelTable(MAX_CHANNELS);
    report = ChannelReport.NONE;
  }

  /** Returns what the latest poll has seen. */
  public ChannelReport report() {
    return report;
  }

  /** Takes up a channel. A thread of the application calls it. */
  private void arrived(Channel channel) {
    if (channel instanceof ServerChannel) {
      return; // it has no outbound queue
    }
    if (arrivalCount.incrementAndGet() > MAX_ARRIVALS) {
      arrivalCount.decrementAndGet();
      notWatched.incrementAndGet();
      return;
    }
    arrivals.add(new WatchedChannel(channel));
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
    return Holder.ofHandler(context.handler().getClass());
  }

  /**
   * Takes up the event loop of a channel that was seen at work, perhaps registered before the watch
   * began. Any thread calls it.
   */
  private void seen(Channel channel) {
    if (isOn && channel.isRegistered()) {
      list(channel.eventLoop());
    }
  }

  /** Lets an event loop list its channels, once. */
  private void list(EventLoop loop) {
    if (loop instanceof SingleThreadEventLoop owner && listed.add(loop)) {
      try {
        owner.execute(() -> listChannels(owner));
      } catch (RejectedExecutionException ending) {
        return; // its channels are closed with it
      }
    }
  }

  /** The event loop itself calls it. Netty before 4.1.58 and some transports have no such list. */
  private void listChannels(SingleThreadEventLoop loop) {
    try {
      for (Iterator<Channel> each = loop.registeredChannelsIterator(); each.hasNext(); ) {
        arrived(each.next());
      }
    } catch (UnsupportedOperationException | NoSuchMethodError unknown) {
      return; // channels from before the watch stay unknown
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
    ChannelPoll poll = new ChannelPoll(++polls);
    table.retain(poll::read);
    report = poll.report(table.size(), notWatched.get());
  }

  private void takeArrivals() {
    WatchedChannel arrived;
    while ((arrived = arrivals.poll()) != null) {
      arrivalCount.decrementAndGet();
      Channel channel = arrived.get();
      if (channel != null && channel.isOpen() && channel.unsafe().outboundBuffer() != null) {
        if (!table.add(arrived, channel)) {
          notWatched.incrementAndGet();
        }
        seen(channel);
      }
    }
  }
}
