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
  private final String[] hostValues;
  private final int most;

  /** Changed by any scraping thread. */
  private final Map<Key, Labels> known = new ConcurrentHashMap<>();

  /** One instance of each value, so that most comparisons end at identity. */
  private final Map<String, String> shared = new ConcurrentHashMap<>();

  /** For series that are of no host. */
  KnownLabels() {
    this(0);
  }

  /**
   * @param most sets that are kept: sites come and go, and many more than a scrape has series are
   *     not worth it
   * @param hostValues values of the labels that each series of the host has
   */
  KnownLabels(int most, String... hostValues) {
    this.most = most;
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
      if (known.size() >= most) {
        known.clear();
        shared.clear();
      }
      known.put(key, labels);
    }
    return labels;
  }

  private String[] all(String[] own) {
    String[] all = Arrays.copyOf(hostValues, hostValues.length + own.length);
    for (int i = 0; i < own.length; i++) {
      all[hostValues.length + i] = shared.computeIfAbsent(own[i], value -> value);
    }
    return all;
  }

  /** Compares labels of the same names as the client library orders them. */
  @SuppressWarnings("ReferenceEquality") // spares a comparison; those that differ are compared
  static int compareValues(Labels left, Labels right) {
    for (int i = 0; i < left.size(); i++) {
      String one = left.getValue(i);
      String other = right.getValue(i);
      int order = one == other ? 0 : one.compareTo(other);
      if (order != 0) {
        return order;
      }
    }
    return 0;
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
