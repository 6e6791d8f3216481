/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cost of 10,000 idle channels. */
class ManyChannelsTest {
  private static final int CHANNELS = 10_000;
  private static final long MAX_BYTES = 100;

  /** Limit of the time of a poll: one percent of the second between two polls. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int POLLS = 51;

  private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<Channel> channels = new ArrayList<>();

  @BeforeEach
  void open() {
    for (int i = 0; i < CHANNELS; i++) {
      channels.add(
          new EmbeddedChannel(
              new ChannelInboundHandlerAdapter(), new ChannelInboundHandlerAdapter()));
    }
  }

  private ChannelTable fill() {
    ChannelTable table = new ChannelTable(ChannelWatch.MAX_CHANNELS);
    for (Channel channel : channels) {
      assertThat(table.add(new WatchedChannel(channel), channel)).isTrue();
    }
    return table;
  }

  @Test
  void aChannelTakesUpTo100Bytes() {
    fill(); // loads the classes
    long before = thread.getCurrentThreadAllocatedBytes();
    ChannelTable table = new ChannelTable(ChannelWatch.MAX_CHANNELS);
    for (Channel channel : channels) {
      boolean unused = table.add(new WatchedChannel(channel), channel);
    }
    long bytes = thread.getCurrentThreadAllocatedBytes() - before; // including outgrown tables
    assertThat(table.size()).isEqualTo(CHANNELS);
    assertThat(bytes / CHANNELS).isLessThanOrEqualTo(MAX_BYTES);
  }

  /**
   * The median counts, because a garbage collection or code that is not compiled yet can delay a
   * poll.
   */
  @Test
  void aPollTakesLessThanOnePercentOfASecond() {
    ChannelTable table = fill();
    long[] nanos = new long[POLLS];
    for (int i = 0; i < POLLS; i++) {
      long start = thread.getCurrentThreadCpuTime();
      ChannelPoll poll = new ChannelPoll(i + 1, Handlers::of);
      table.retain(poll::read);
      ChannelReport report = poll.report(table.size(), 0);
      nanos[i] = thread.getCurrentThreadCpuTime() - start;
      assertThat(report.channels()).isEqualTo(CHANNELS);
    }
    Arrays.sort(nanos);
    assertThat(nanos[POLLS / 2]).isLessThan(MAX_NANOS);
  }
}
