/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.Arrays;

/**
 * A program for a JVM with a small heap: releases a composite of many components while no memory is
 * left. The exit status is 0 if all components are released.
 */
final class FullHeap {
  private static final int PARTS = 50_000;
  private static final int[] FILL_BYTES = {1 << 20, 64 << 10, 4 << 10};
  private static final Object[] HELD = new Object[100_000];

  private FullHeap() {}

  public static void main(String[] arguments) {
    ByteBuf part = Unpooled.buffer(8).writeZero(8);
    composite(part, 2).release(); // loads all classes
    CompositeByteBuf composite = composite(part, PARTS);
    String failure = "";
    int held = fill();
    try {
      composite.release();
    } catch (OutOfMemoryError noMemory) {
      failure = ", after an OutOfMemoryError"; // no memory for a longer text
    }
    Arrays.fill(HELD, 0, held, null);
    System.out.println("counts that are left, beside our own: " + (part.refCnt() - 1) + failure);
    System.exit(part.refCnt() == 1 && held > 0 ? 0 : 1);
  }

  private static CompositeByteBuf composite(ByteBuf part, int parts) {
    CompositeByteBuf composite =
        new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, Integer.MAX_VALUE);
    for (int i = 0; i < parts; i++) {
      composite.addComponent(part.retainedSlice());
    }
    return composite;
  }

  private static int fill() {
    int held = 0;
    for (int bytes : FILL_BYTES) {
      try {
        for (; ; ) {
          HELD[held] = new byte[bytes];
          held++;
        }
      } catch (OutOfMemoryError full) {
        HELD[held] = null; // continues with smaller ones
      }
    }
    return held;
  }
}
