/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Limit of the heap for data that another process wrote. Used by one thread. */
public final class HeapLimit {
  /** Heap of a text, besides its characters. */
  private static final int TEXT_BYTES = 48;

  private final long limit;
  private long used;

  /**
   * Creates a limit.
   *
   * @param limit approximate number of bytes
   */
  public HeapLimit(long limit) {
    this.limit = limit;
  }

  /**
   * Adds the heap of an object that is about to be created.
   *
   * @throws IOException if the sum exceeds the limit
   */
  public void charge(long bytes) throws IOException {
    used += bytes;
    if (used > limit) {
      throw new IOException(
          "heap of the report: " + used + " bytes (expected: up to " + limit + ")");
    }
  }

  /**
   * Decodes a text and adds its heap.
   *
   * @param maxChars maximum number of characters; the rest is cut
   * @throws IOException if the sum exceeds the limit
   */
  public String text(byte[] encoded, int maxChars) throws IOException {
    String whole = new String(encoded, StandardCharsets.UTF_8);
    String text = whole.length() > maxChars ? whole.substring(0, maxChars) : whole;
    charge(TEXT_BYTES + 2L * text.length());
    return text;
  }

  /**
   * Adds the heap of a text that may be decoded later.
   *
   * @param encodedBytes bytes of the text in UTF-8
   * @param maxChars maximum number of characters; the rest is cut
   * @throws IOException if the sum exceeds the limit
   */
  public void chargeText(int encodedBytes, int maxChars) throws IOException {
    charge(TEXT_BYTES + 2L * Math.min(encodedBytes, maxChars));
  }

  /** Returns the bytes so far. */
  public long used() {
    return used;
  }
}
