/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** A factory of searches for one needle. */
public abstract class AbstractSearchProcessorFactory implements SearchProcessorFactory {
  /** Creates a factory; for subclasses. */
  public AbstractSearchProcessorFactory() {}

  /**
   * Returns a factory of searches by the algorithm of Knuth, Morris and Pratt. Its table has one
   * number for each byte of the needle. A search finds an empty needle at every byte.
   */
  public static KmpSearchProcessorFactory newKmpSearchProcessorFactory(byte[] needle) {
    return new KmpSearchProcessorFactory(needle);
  }

  /**
   * Returns a factory of searches by the algorithm of Baeza-Yates and Gonnet, which has no
   * branches. Its table has 2 KiB. A search never finds an empty needle.
   *
   * @throws IllegalArgumentException if the needle is longer than 64 bytes
   */
  public static BitapSearchProcessorFactory newBitapSearchProcessorFactory(byte[] needle) {
    return new BitapSearchProcessorFactory(needle);
  }
}
