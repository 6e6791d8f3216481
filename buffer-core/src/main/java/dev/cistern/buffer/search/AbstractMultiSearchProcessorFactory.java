/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** A factory of searches for several needles at once. */
public abstract class AbstractMultiSearchProcessorFactory implements MultiSearchProcessorFactory {
  /** Creates a factory; for subclasses. */
  public AbstractMultiSearchProcessorFactory() {}

  /**
   * Returns a factory of searches by the algorithm of Aho and Corasick. Its table has 1 KiB for
   * each byte of the needles; needles share the bytes of a common beginning. If needles are equal,
   * a search finds the last one.
   *
   * @throws IllegalArgumentException if a needle is empty
   */
  public static AhoCorasicSearchProcessorFactory newAhoCorasicSearchProcessorFactory(
      byte[]... needles) {
    return new AhoCorasicSearchProcessorFactory(needles);
  }
}
