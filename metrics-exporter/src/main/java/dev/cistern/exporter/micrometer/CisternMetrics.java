/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.pool.AllocatorDiagnostics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The metrics of allocators as meters of Micrometer, under dotted names with base units: {@code
 * cistern.reserved} in bytes is what docs/metrics.md calls {@code cistern_reserved_bytes}, and what
 * Micrometer's Prometheus registry calls so, too.
 *
 * <pre>{@code
 * new CisternMetrics(PooledByteBufAllocator.DEFAULT, "buffers").bindTo(registry);
 * }</pre>
 *
 * <p>Micrometer reads each meter by itself, which would tear figures apart that belong together. So
 * the source is asked for all at once, and all meters of a scrape show that one reading: a scrape
 * is what a thread reads without asking a meter twice, and without a pause longer than {@link
 * MicrometerOptions#maxAge}. A scrape that begins with a reading older than that asks the source
 * again; so figures are as old as that at most, and the source is not asked more often.
 *
 * <p>Series come and go with the sites that they tell of, within the limit of series, and their
 * meters with them. A source that fails leaves all values what they were, but for {@code
 * cistern.up}, which is 0, and {@code cistern.scrape.errors}.
 *
 * <p>May be bound to several registries, and scraped by several threads. Registries hold on to it
 * until it is closed.
 */
public final class CisternMetrics implements MeterBinder, AutoCloseable {
  private final CisternCollector collector;
  private final boolean hostTags;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;

  /** Held while the source is asked, and never while a registry is called. */
  private final ReentrantLock sourceLock = new ReentrantLock();

  /** Written under {@link #sourceLock}, read by any thread. */
  private volatile Reading latest;

  /** Scrapes by thread id. Their thread writes them; any thread removes an idle one. */
  private final Map<Long, Scrape> scrapes = new ConcurrentHashMap<>();

  /**
   * Held while registries are called. Who scrapes only tries to get it, since a registry may have
   * locks of its own.
   */
  private final ReentrantLock bindingsLock = new ReentrantLock();

  /** Guarded by {@link #bindingsLock}. */
  private final List<Binding> bindings = new ArrayList<>();

  /** The reading that the bindings show. Guarded by {@link #bindingsLock}. */
  private Reading shown;

  /** Guarded by {@link #bindingsLock}. */
  private boolean isClosed;

  /** Written under {@link #bindingsLock}, read by any thread. */
  private final LongAdder refused = new LongAdder();

  /**
   * Shows the pools of one allocator, and the leaks and live buffers of all.
   *
   * @param pool the value of the tag {@code pool}
   */
  public CisternMetrics(PooledByteBufAllocator allocator, String pool) {
    this(new AllocatorSource("").add(pool, allocator));
  }

  /**
   * Shows the pools, leaks and live buffers of one allocator with a leak detector of its own, such
   * as {@code CisternAllocator} for Netty.
   *
   * @param allocator the figures of the allocator
   * @param pool the value of the tag {@code pool}
   */
  public CisternMetrics(AllocatorDiagnostics allocator, String pool) {
    this(new AllocatorSource("").add(pool, allocator));
  }

  /** Shows what {@code source} reports, with {@link MicrometerOptions#DEFAULT}. */
  public CisternMetrics(StatsSource source) {
    this(source, MicrometerOptions.DEFAULT);
  }

  /** Shows what {@code source} reports. */
  public CisternMetrics(StatsSource source, MicrometerOptions options) {
    this(source, options, System::nanoTime);
  }

  CisternMetrics(StatsSource source, MicrometerOptions options, LongSupplier nanoTime) {
    this.collector = new CisternCollector(source, options.exporter());
    this.hostTags = options.hostTags();
    this.maxAgeNanos = options.maxAge().toNanos();
    this.nanoTime = nanoTime;
    // Too old to be shown.
    this.latest = Reading.none(nanoTime.getAsLong() - maxAgeNanos - 1);
    this.shown = latest;
  }

  /**
   * Registers all meters. What a registry refuses is logged and counted, once for each.
   *
   * @throws IllegalStateException if this is closed
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    fresh(nanoTime.getAsLong());
    bindingsLock.lock();
    try {
      if (isClosed) {
        throw new IllegalStateException("closed");
      }
      if (bindings.stream().noneMatch(binding -> binding.registry() == registry)) {
        bindings.add(new Binding(registry, this::value));
        showLatest();
      }
    } finally {
      bindingsLock.unlock();
    }
  }

  /** Returns the number of meters so far that a registry would not take. */
  public long refused() {
    return refused.sum();
  }

  /** Removes all meters from all registries. */
  @Override
  public void close() {
    bindingsLock.lock();
    try {
      isClosed = true;
      bindings.forEach(Binding::removeAll);
      bindings.clear();
    } finally {
      bindingsLock.unlock();
    }
  }

  private double value(BoundMeter meter) {
    long now = nanoTime.getAsLong();
    long thread = Thread.currentThread().getId();
    Scrape scrape = scrapes.get(thread);
    if (scrape == null || scrape.isOver(meter, now)) {
      scrape = begin(thread, now);
    }
    return scrape.value(meter, now);
  }

  private Scrape begin(long thread, long now) {
    Scrape scrape = new Scrape(fresh(now), maxAgeNanos, now);
    scrapes.values().removeIf(other -> other.isIdle(now));
    scrapes.put(thread, scrape);
    showLatestSoon();
    return scrape;
  }

  /** The latest reading if it is young enough, else a new one. */
  private Reading fresh(long now) {
    if (latest.ageNanos(now) <= maxAgeNanos) {
      return latest;
    }
    sourceLock.lock();
    try {
      // Another thread may have asked meanwhile.
      if (latest.ageNanos(now) > maxAgeNanos) {
        latest = read();
      }
      return latest;
    } finally {
      sourceLock.unlock();
    }
  }

  private Reading read() {
    long errors = collector.errors();
    long now = nanoTime.getAsLong();
    MetricSnapshots scrape = collector.collect();
    Reading reading = Reading.of(scrape, hostTags, now).after(latest);
    return collector.errors() == errors ? reading : reading.over(latest);
  }

  /** Nothing if another thread is at it: the next scrape will. */
  private void showLatestSoon() {
    // A registry may read a meter while it registers it.
    if (!bindingsLock.isHeldByCurrentThread() && bindingsLock.tryLock()) {
      try {
        if (shown != latest) {
          showLatest();
        }
      } finally {
        bindingsLock.unlock();
      }
    }
  }

  private void showLatest() {
    Reading reading = latest;
    bindings.removeIf(binding -> binding.registry().isClosed());
    bindings.forEach(binding -> refused.add(binding.show(reading)));
    shown = reading;
  }
}
