/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelTableTest {
  private static final int LIMIT = 1_000;

  private final ChannelTable table = new ChannelTable(LIMIT);
  private final List<Channel> channels = new ArrayList<>();

  private boolean add(Channel channel) {
    channels.add(channel);
    return table.add(new WatchedChannel(channel), channel);
  }

  private List<Channel> content() {
    List<Channel> content = new ArrayList<>();
    table.retain(each -> content.add(each.get()));
    return content;
  }

  @Test
  void hasEachChannelOnce() {
    Channel first = new EmbeddedChannel();
    assertThat(add(first)).isTrue();
    assertThat(add(new EmbeddedChannel())).isTrue();
    assertThat(add(first)).isTrue();
    assertThat(table.size()).isEqualTo(2);
    assertThat(content()).containsExactlyInAnyOrder(channels.get(0), channels.get(1));
  }

  @Test
  void refusesChannelsBeyondItsLimit() {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(add(new EmbeddedChannel())).isTrue();
    }
    assertThat(add(new EmbeddedChannel())).isFalse();
    assertThat(content()).hasSize(LIMIT).doesNotContainNull();
  }

  @Test
  void removesEntriesThatAreNotKeptAndContinues() {
    for (int i = 0; i < LIMIT; i++) {
      assertThat(add(new EmbeddedChannel())).isTrue();
    }
    Channel kept = channels.get(LIMIT / 2);
    table.retain(each -> each.refersTo(kept));
    assertThat(table.size()).isEqualTo(1);
    Channel added = new EmbeddedChannel();
    assertThat(add(added)).isTrue();
    assertThat(content()).containsExactlyInAnyOrder(kept, added);
  }
}
