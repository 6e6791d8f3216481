/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.common;

/** What every host answers. */
public final class Answers {
  /** The body of {@code /plaintext}. */
  public static final String PLAINTEXT = "Hello, World!";

  /** The body of {@code /json}, where no library makes it. */
  public static final String JSON = "{\"message\":\"Hello, World!\",\"numbers\":[1,2,3]}";

  /** Parts of {@code /stream}. */
  public static final int PARTS = 64;

  /** Bytes of each part. */
  public static final int PART_BYTES = 3_000;

  /** The largest body that {@code /echo} takes. */
  public static final int MAX_BODY_BYTES = 6 << 20;

  /** Prime, so that a part in the wrong place does not look right. */
  private static final int PERIOD_BYTES = 251;

  private Answers() {}

  /** A part of {@code /stream}. */
  public static byte[] part(int number) {
    byte[] part = new byte[PART_BYTES];
    for (int i = 0; i < PART_BYTES; i++) {
      part[i] = (byte) ((number * PART_BYTES + i) % PERIOD_BYTES);
    }
    return part;
  }
}
