/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.common;

/** The responses of every host. */
public final class Answers {
  /** The body of {@code /plaintext}. */
  public static final String PLAINTEXT = "Hello, World!";

  /** The body of {@code /json}, if no library creates it. */
  public static final String JSON = "{\"message\":\"Hello, World!\",\"numbers\":[1,2,3]}";

  /** The number of parts of {@code /stream}. */
  public static final int PARTS = 64;

  /** The size of each part, in bytes. */
  public static final int PART_BYTES = 3_000;

  /** The largest body that {@code /echo} accepts. */
  public static final int MAX_BODY_BYTES = 6 << 20;

  /** The period is prime, so that a part in the wrong place does not match. */
  private static final int PERIOD_BYTES = 251;

  private Answers() {}

  /** Returns a part of {@code /stream}. */
  public static byte[] part(int number) {
    byte[] part = new byte[PART_BYTES];
    for (int i = 0; i < PART_BYTES; i++) {
      part[i] = (byte) ((number * PART_BYTES + i) % PERIOD_BYTES);
    }
    return part;
  }
}
