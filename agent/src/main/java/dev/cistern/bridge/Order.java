/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.nio.ByteOrder;

/** Turns values between the machine's byte order and a buffer's; its own inverse. */
final class Order {
  private static final boolean BIG = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private Order() {}

  static short big(short value) {
    return BIG ? value : Short.reverseBytes(value);
  }

  static int big(int value) {
    return BIG ? value : Integer.reverseBytes(value);
  }

  static long big(long value) {
    return BIG ? value : Long.reverseBytes(value);
  }

  static short little(short value) {
    return BIG ? Short.reverseBytes(value) : value;
  }

  static int little(int value) {
    return BIG ? Integer.reverseBytes(value) : value;
  }

  static long little(long value) {
    return BIG ? Long.reverseBytes(value) : value;
  }
}
