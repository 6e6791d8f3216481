/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/**
 * A factory of searches by the algorithm of Baeza-Yates and Gonnet: A new approach to text
 * searching (1992).
 */
public class BitapSearchProcessorFactory extends AbstractSearchProcessorFactory {
  private static final int BYTE_VALUES = 256;

  /** The positions of each byte value in the needle, as a bit set. */
  private final long[] places = new long[BYTE_VALUES];

  private final long lastPlace;

  BitapSearchProcessorFactory(byte[] needle) {
    if (needle.length > Long.SIZE) {
      throw new IllegalArgumentException(
          "needle: " + needle.length + " bytes (expected: <= " + Long.SIZE + ")");
    }
    for (int i = 0; i < needle.length; i++) {
      places[needle[i] & 0xFF] |= 1L << i;
    }
    lastPlace = needle.length == 0 ? 0 : 1L << (needle.length - 1);
  }

  @Override
  public Processor newSearchProcessor() {
    return new Processor(this);
  }

  /** The state of a search. */
  public static class Processor implements SearchProcessor {
    private final BitapSearchProcessorFactory factory;

    /** A bit for each prefix of the needle that the last bytes equal. */
    private long matched;

    Processor(BitapSearchProcessorFactory factory) {
      this.factory = factory;
    }

    @Override
    public boolean process(byte value) {
      matched = (matched << 1 | 1) & factory.places[value & 0xFF];
      return (matched & factory.lastPlace) == 0;
    }

    @Override
    public void reset() {
      matched = 0;
    }
  }
}
