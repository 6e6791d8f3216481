/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import java.io.PrintStream;
import java.util.Locale;

/** The allocator of the connections. */
enum AllocatorChoice {
  /** Netty's default. No class of Cistern is loaded. */
  NETTY {
    @Override
    void install(ServerBootstrap bootstrap) {}

    @Override
    void report(PrintStream output) {}
  },
  /** Cistern's pool. */
  CISTERN {
    @Override
    void install(ServerBootstrap bootstrap) {
      bootstrap.childOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT);
    }

    @Override
    void report(PrintStream output) { // pools() is for the exporter: an application reads metrics
      long allocations = 0;
      for (PoolSnapshot pool : CisternAllocator.DEFAULT.pools()) {
        for (SizeGroup group : SizeGroup.values()) {
          allocations += pool.allocations(group);
        }
      }
      output.println("cistern allocations=" + allocations);
    }
  };

  /** Sets the allocator of the bootstrap's connections. */
  abstract void install(ServerBootstrap bootstrap);

  /** Prints the number of buffers that Cistern's pools served, if this choice uses them. */
  abstract void report(PrintStream output);

  /**
   * Returns the choice with that name.
   *
   * @throws IllegalArgumentException if the name is unknown
   */
  static AllocatorChoice of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
