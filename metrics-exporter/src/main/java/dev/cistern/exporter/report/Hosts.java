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
   * Returns all processes at one moment, each once, in a stable order. Called once for each scrape
   * or page, by any thread, and by several threads concurrently. Stacks may have only their site
   * and no frames, and leaks no last uses: see {@link #fullReport}.
   */
  List<HostView> all();

  /** Returns whether these processes are not this one, so that their series need a name. */
  default boolean areOthers() {
    return true;
  }

  /**
   * Returns the fill levels of the chunks of a host's pools. Only this process provides them,
   * because a stats file has no chunks.
   *
   * @param hostId the host's {@link HostView#id}
   */
  default List<CopyChunks> chunks(String hostId) {
    return List.of();
  }

  /**
   * Returns the allocations of each stack of a host since start, by pool. Only this process
   * provides them, because a stats file does not contain them.
   *
   * @param state a view that {@link #all} has just returned
   */
  default Map<String, AllocationReport> allocations(HostView state) {
    return Map.of();
  }

  /**
   * Returns the last hour of a host.
   *
   * @param state a view that {@link #all} has just returned
   * @throws IOException if it cannot be read
   */
  default History history(HostView state) throws IOException {
    return History.NONE;
  }

  /**
   * Returns the report of a host with the frames of its stacks and the last uses of its leaks; for
   * a host that has ended, the part that was kept.
   *
   * @param state a view that {@link #all} has just returned
   * @throws IOException if it cannot be read
   */
  default HostView fullReport(HostView state) throws IOException {
    return state;
  }

  /**
   * Returns the same as {@link #fullReport}, but may leave out frames and last uses.
   *
   * @throws IOException if it cannot be read
   */
  default HostView siteReport(HostView state) throws IOException {
    return fullReport(state);
  }

  /**
   * Returns the same as {@link #fullReport}, with a new measurement of the resident memory if this
   * process is the host.
   *
   * @throws IOException if it cannot be read
   */
  default HostView measured(HostView state) throws IOException {
    return fullReport(state);
  }

  /** Returns the single host of {@code source}. */
  static Hosts of(StatsSource source) {
    return of(source, source::history);
  }

  /**
   * Returns the same as {@link #of(StatsSource)}, with a history that the source does not keep
   * itself.
   */
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
      public HostView fullReport(HostView state) {
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
