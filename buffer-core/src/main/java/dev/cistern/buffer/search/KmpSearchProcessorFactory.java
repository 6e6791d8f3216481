/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/**
 * A factory of searches by the algorithm of Knuth, Morris and Pratt: Fast pattern matching in
 * strings (1977).
 */
public class KmpSearchProcessorFactory extends AbstractSearchProcessorFactory {
  private final byte[] needle;

  /**
   * The number of bytes of the needle that still match if the next byte differs, by the number of
   * bytes that matched before.
   */
  private final int[] fallbacks;

  KmpSearchProcessorFactory(byte[] needle) {
    this.needle = needle.clone();
    fallbacks = new int[needle.length + 1];
    for (int end = 1; end < needle.length; end++) {
      fallbacks[end + 1] = advance(fallbacks[end], needle[end]);
    }
  }

  private int advance(int matched, byte value) {
    int length = matched;
    while (length > 0 && needle[length] != value) {
      length = fallbacks[length];
    }
    return length < needle.length && needle[length] == value ? length + 1 : length;
  }

  @Override
  public Processor newSearchProcessor() {
    return new Processor(this);
  }

  /** The state of a search. */
  public static class Processor implements SearchProcessor {
    private final KmpSearchProcessorFactory factory;

    /** The number of bytes of the needle that the last bytes match. */
    private int matched;

    Processor(KmpSearchProcessorFactory factory) {
      this.factory = factory;
    }

    @Override
    public boolean process(byte value) {
      int length = factory.advance(matched, value);
      boolean isFound = length == factory.needle.length;
      matched = isFound ? factory.fallbacks[length] : length;
      return !isFound;
    }

    @Override
    public void reset() {
      matched = 0;
    }
  }
}
