/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** Searches for one needle. */
public abstract class AbstractSearchProcessorFactory implements SearchProcessorFactory {
  /** For subclasses. */
  public AbstractSearchProcessorFactory() {}

  /**
   * A search by the algorithm of Knuth, Morris and Pratt: a table of one number for each byte of
   * the needle. An empty needle is found at every byte.
   */
  public static KmpSearchProcessorFactory newKmpSearchProcessorFactory(byte[] needle) {
    return new KmpSearchProcessorFactory(needle);
  }

  /**
   * A search by the algorithm of Baeza-Yates and Gonnet, without branches; a table of 2 KiB. An
   * empty needle is not found.
   *
   * @throws IllegalArgumentException if the needle is longer than 64 bytes
   */
  public static BitapSearchProcessorFactory newBitapSearchProcessorFactory(byte[] needle) {
    return new BitapSearchProcessorFactory(needle);
  }
}
