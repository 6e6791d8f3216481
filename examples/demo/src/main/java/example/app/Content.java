/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

/** Deterministic bytes: the length determines every byte. */
public final class Content {
  /** The body of {@code /plaintext}. */
  public static final String PLAINTEXT = "Hello, World!";

  /** The period is prime, so that a block moved by a power of two does not match. */
  private static final int PERIOD_BYTES = 251;

  private Content() {}

  /** Returns the first {@code size} bytes of the content. */
  public static byte[] bytes(int size) {
    byte[] content = new byte[size];
    fill(content, 0);
    return content;
  }

  /** Fills {@code target} with the content that starts at byte {@code position}. */
  public static void fill(byte[] target, long position) {
    int phase = (int) (position % PERIOD_BYTES);
    for (int i = 0; i < target.length; i++) {
      target[i] = (byte) phase;
      phase = phase + 1 == PERIOD_BYTES ? 0 : phase + 1;
    }
  }

  /** Returns whether {@code body} is exactly the first {@code size} bytes of the content. */
  public static boolean matches(byte[] body, int size) {
    if (body.length != size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (body[i] != (byte) (i % PERIOD_BYTES)) {
        return false;
      }
    }
    return true;
  }
}
