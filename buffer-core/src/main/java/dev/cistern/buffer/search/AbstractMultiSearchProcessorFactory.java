/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** Searches for several needles at once. */
public abstract class AbstractMultiSearchProcessorFactory implements MultiSearchProcessorFactory {
  /** For subclasses. */
  public AbstractMultiSearchProcessorFactory() {}

  /**
   * A search by the algorithm of Aho and Corasick: a table of 1 KiB for each byte of the needles
   * that no other begins with. Of equal needles, the last one is found.
   *
   * @throws IllegalArgumentException if a needle is empty
   */
  public static AhoCorasicSearchProcessorFactory newAhoCorasicSearchProcessorFactory(
      byte[]... needles) {
    return new AhoCorasicSearchProcessorFactory(needles);
  }
}
