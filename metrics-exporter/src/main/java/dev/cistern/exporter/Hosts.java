/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;

/** The hosts that an exporter tells of: the one that it is in, or those that a sidecar watches. */
@FunctionalInterface
public interface Hosts {
  /**
   * Returns all of them at one moment, each once, in an order that stays. Called once for each
   * scrape or page, by any thread, also by several at a time. Stacks may have no frames, only their
   * site, and leaks no last uses: see {@link #whole}.
   */
  List<HostState> all();

  /**
   * Returns how full the chunks of a host's pools are, where that can be told: a host that is known
   * by its stats file tells no chunks.
   *
   * @param hostId the host's {@link HostIdentity#id}
   */
  default List<CopyChunks> chunks(String hostId) {
    return List.of();
  }

  /**
   * Returns the report of a host with the frames of its stacks and the last uses of its leaks; of a
   * host that is gone, what is left of it.
   *
   * @param state one of those that {@link #all} returned just now
   * @throws IOException if it cannot be read
   */
  default HostReport whole(HostState state) throws IOException {
    return state.report();
  }

  /**
   * Returns what {@link #whole} does, where it can without the frames and last uses.
   *
   * @throws IOException if it cannot be read
   */
  default HostReport sites(HostState state) throws IOException {
    return whole(state);
  }

  /** The one host that {@code source} knows. */
  static Hosts of(StatsSource source) {
    return new Hosts() {
      @Override
      public List<HostState> all() {
        return List.of(HostState.up(source.sites()));
      }

      @Override
      public HostReport whole(HostState state) {
        return source.report();
      }

      @Override
      public List<CopyChunks> chunks(String hostId) {
        return source.chunks();
      }
    };
  }
}
