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
 * Metrics of allocators as meters of Micrometer, under dotted names with base units. For example,
 * {@code cistern.reserved} in bytes is {@code cistern_reserved_bytes} in docs/metrics.md and in
 * Micrometer's Prometheus registry.
 *
 * <pre>{@code
 * new CisternMetrics(PooledByteBufAllocator.DEFAULT, "buffers").bindTo(registry);
 * }</pre>
 *
 * <p>Micrometer reads each meter separately, so that related figures could be of different moments.
 * Therefore one reading of the source provides all values, and all meters of a scrape show that
 * reading. A scrape is a sequence of reads by one thread, without a repeated meter and without a
 * pause longer than {@link MicrometerOptions#maxAge}. A scrape reads the source again if the last
 * reading is older than that. This limits both the age of figures at the begin of a scrape and the
 * number of readings.
 *
 * <p>Series begin and end with their sites, within the limit of series, and so do their meters. If
 * the source fails, all values stay the same, except {@code cistern.up}, which is 0, and {@code
 * cistern.scrape.errors}.
 *
 * <p>An object may be bound to several registries, and several threads may scrape it. Registries
 * reference it strongly until it is closed.
 */
public final class CisternMetrics implements MeterBinder, AutoCloseable {
  private final CisternCollector collector;
  private final boolean hostTags;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;

  /** Held while the source is read, and never while a registry is called. */
  private final ReentrantLock sourceLock = new ReentrantLock();

  /** Written under {@link #sourceLock}, read by any thread. */
  private volatile Reading latest;

  /** Scrapes by thread id. Their thread writes them; any thread removes an idle one. */
  private final Map<Long, Scrape> scrapes = new ConcurrentHashMap<>();

  /**
   * Held while registries are called. A scraping thread only tries to acquire it, because a
   * registry may hold its own locks.
   */
  private final ReentrantLock bindingsLock = new ReentrantLock();

  /** One binding for each registry. Guarded by {@link #bindingsLock}. */
  private final List<Binding> bindings = new ArrayList<>();

  /** The reading that the bindings show. Guarded by {@link #bindingsLock}. */
  private Reading shown;

  /** Whether {@link #close} was called. Guarded by {@link #bindingsLock}. */
  private boolean isClosed;

  /** Written under {@link #bindingsLock}, read by any thread. */
  private final LongAdder refused = new LongAdder();

  /**
   * Creates the metrics of the pools of one allocator, and of the leaks and live buffers of all.
   *
   * @param pool the value of the tag {@code pool}
   */
  public CisternMetrics(PooledByteBufAllocator allocator, String pool) {
    this(new AllocatorSource("").add(pool, allocator));
  }

  /**
   * Creates the metrics of one allocator that has its own leak detector, such as {@code
   * CisternAllocator} for Netty.
   *
   * @param allocator the figures of the allocator
   * @param pool the value of the tag {@code pool}
   */
  public CisternMetrics(AllocatorDiagnostics allocator, String pool) {
    this(new AllocatorSource("").add(pool, allocator));
  }

  /** Creates the metrics of {@code source}, with {@link MicrometerOptions#DEFAULT}. */
  public CisternMetrics(StatsSource source) {
    this(source, MicrometerOptions.DEFAULT);
  }

  /** Creates the metrics of {@code source}. */
  public CisternMetrics(StatsSource source, MicrometerOptions options) {
    this(source, options, System::nanoTime);
  }

  CisternMetrics(StatsSource source, MicrometerOptions options, LongSupplier nanoTime) {
    this.collector = new CisternCollector(source, options.exporter());
    this.hostTags = options.hostTags();
    this.maxAgeNanos = options.maxAge().toNanos();
    this.nanoTime = nanoTime;
    // This reading is too old to be used.
    this.latest = Reading.none(nanoTime.getAsLong() - maxAgeNanos - 1);
    this.shown = latest;
  }

  /**
   * Registers all meters. Each meter that the registry refuses is logged and counted once.
   *
   * @throws IllegalStateException if this object is closed
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

  /** Returns the number of meters that a registry has refused so far. */
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

  /** Returns the latest reading if it is recent enough, otherwise a new one. */
  private Reading fresh(long now) {
    if (latest.ageNanos(now) <= maxAgeNanos) {
      return latest;
    }
    sourceLock.lock();
    try {
      // Another thread may have read the source meanwhile.
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

  /** Updates the meters, unless another thread does: then the next scrape updates them. */
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
