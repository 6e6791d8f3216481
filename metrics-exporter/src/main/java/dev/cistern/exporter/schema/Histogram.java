/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Declaration of a histogram. Its buckets end at powers of two, so that it is exact as a native
 * histogram with the schema 0, too.
 *
 * @param index its position in a row
 * @param number its number in the stats file, which no other histogram of its scope may have
 * @param name its name in Prometheus
 * @param unit unit of its values
 * @param detail the group of figures with which it is exported
 * @param help its meaning
 * @param firstExponent bucket 0 ends at two to this power, in the unit
 * @param buckets number of buckets with an end; one without an end follows
 * @param reader returns the count of each bucket and then the sum of all values, as stored; null if
 *     there is none
 * @param <T> type of the object that it is read from
 */
public record Histogram<T>(
    int index,
    int number,
    String name,
    Unit unit,
    Detail detail,
    String help,
    int firstExponent,
    int buckets,
    Function<T, long @Nullable []> reader) {
  /** The classic form contains one bucket in this number of buckets. */
  private static final int SHOWN_BUCKETS = 4;

  /** Returns its name in JSON. */
  public String key() {
    return name.substring("cistern_".length());
  }

  /** Returns the end of a bucket in the unit; infinity for the last bucket. */
  public double end(int bucket) {
    return bucket == buckets ? Double.POSITIVE_INFINITY : Math.scalb(1.0, firstExponent + bucket);
  }

  /** Returns the buckets of the classic form: some with an end, and the last one. */
  public List<Integer> classic() {
    return IntStream.rangeClosed(0, buckets)
        .filter(bucket -> bucket == buckets || bucket % SHOWN_BUCKETS == 0)
        .boxed()
        .toList();
  }
}
