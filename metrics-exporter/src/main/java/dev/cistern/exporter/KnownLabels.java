/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The labels of one host's series, kept from scrape to scrape: they are much the same each time,
 * and families share them, while the client library checks and sorts each set anew.
 */
final class KnownLabels {
  /** Sites come and go; more sets than a scrape has series are not worth keeping. */
  private static final int MOST = 2 * ExporterOptions.DEFAULT_SERIES_WITH_DETAIL;

  private final String[] hostValues;

  /** Changed by any scraping thread. */
  private final Map<Key, Labels> known = new ConcurrentHashMap<>();

  /**
   * @param hostValues values of the labels that each series of the host has
   */
  KnownLabels(String... hostValues) {
    this.hostValues = hostValues.clone();
  }

  /**
   * @param values one for each label of {@code metric} beside those of the host, in its order
   */
  Labels of(Metric metric, String[] values) {
    if (!metric.isOfHost()) {
      return Labels.of(metric.labels(), values);
    }
    Key key = new Key(metric.labels(), values);
    Labels labels = known.get(key);
    if (labels == null) {
      labels = Labels.of(metric.allLabels(), all(values));
      if (known.size() >= MOST) {
        known.clear();
      }
      known.put(key, labels);
    }
    return labels;
  }

  private String[] all(String[] own) {
    String[] all = Arrays.copyOf(hostValues, hostValues.length + own.length);
    System.arraycopy(own, 0, all, hostValues.length, own.length);
    return all;
  }

  /** Names are compared by identity: families with the same labels have the same array. */
  @SuppressWarnings("ArrayRecordComponent") // compared as it should be, below
  private record Key(String[] names, String[] values) {
    @Override
    @SuppressWarnings("ArrayEquals") // identity is meant
    public boolean equals(Object other) {
      return other instanceof Key key && names == key.names && Arrays.equals(values, key.values);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(names) + Arrays.hashCode(values);
    }
  }
}
