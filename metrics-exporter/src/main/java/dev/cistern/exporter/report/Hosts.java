/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.leak.report.AllocationReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes that an exporter reports: its own, or those that a sidecar watches. */
@FunctionalInterface
public interface Hosts {
  /**
   * Returns all of them at one moment, each once, in an order that stays. Called once for each
   * scrape or page, by any thread, also by several at a time. Stacks may have no frames, only their
   * site, and leaks no last uses: see {@link #whole}.
   */
  List<HostView> all();

  /** Returns whether these are other processes than this one, so that series name them. */
  default boolean areOthers() {
    return true;
  }

  /**
   * Returns how full the chunks of a host's pools are. Only this process has that: a stats file has
   * no chunks.
   *
   * @param hostId the host's {@link HostView#id}
   */
  default List<CopyChunks> chunks(String hostId) {
    return List.of();
  }

  /**
   * Returns what each stack of a host has allocated since start, by pool. Only this process has
   * that: a stats file does not.
   *
   * @param state one of those that {@link #all} returned just now
   */
  default Map<String, AllocationReport> allocations(HostView state) {
    return Map.of();
  }

  /**
   * Returns the last hour of a host.
   *
   * @param state one of those that {@link #all} returned just now
   * @throws IOException if it cannot be read
   */
  default History history(HostView state) throws IOException {
    return History.NONE;
  }

  /**
   * Returns the report of a host with the frames of its stacks and the last uses of its leaks; of a
   * host that is gone, what is left of it.
   *
   * @param state one of those that {@link #all} returned just now
   * @throws IOException if it cannot be read
   */
  default HostView whole(HostView state) throws IOException {
    return state;
  }

  /**
   * Returns what {@link #whole} does, where it can without the frames and last uses.
   *
   * @throws IOException if it cannot be read
   */
  default HostView sites(HostView state) throws IOException {
    return whole(state);
  }

  /**
   * Returns what {@link #whole} does, with the resident memory measured now if this process is the
   * host.
   *
   * @throws IOException if it cannot be read
   */
  default HostView measured(HostView state) throws IOException {
    return whole(state);
  }

  /** The one host that {@code source} knows. */
  static Hosts of(StatsSource source) {
    return of(source, source::history);
  }

  /** As {@link #of(StatsSource)}, with a history that the source does not keep itself. */
  static Hosts of(StatsSource source, Supplier<@Nullable History> history) {
    return new Hosts() {
      @Override
      public boolean areOthers() {
        return false;
      }

      @Override
      public List<HostView> all() {
        return List.of(HostView.withPeers(source.sites()));
      }

      @Override
      public History history(HostView state) {
        History own = source.history();
        History kept = own == null ? history.get() : own;
        return kept == null ? History.NONE : kept;
      }

      @Override
      public HostView whole(HostView state) {
        return HostView.withPeers(source.report());
      }

      @Override
      public HostView measured(HostView state) {
        return HostView.of(source.measured());
      }

      @Override
      public Map<String, AllocationReport> allocations(HostView state) {
        return source.allocations();
      }

      @Override
      public List<CopyChunks> chunks(String hostId) {
        return source.chunks();
      }
    };
  }
}
