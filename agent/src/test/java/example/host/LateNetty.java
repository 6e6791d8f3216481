/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * An application that loads Netty on an order. Orders: {@code alive}, {@code netty}, {@code class}
 * (class of the buffers of an allocator), {@code adaptive} (class of the buffers of a second
 * allocator, which is loaded then), {@code exit}.
 */
public final class LateNetty {
  private LateNetty() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("exit")) {
        return;
      }
      String answer =
          switch (order) {
            case "alive" -> "";
            case "adaptive" -> AllocatingLate.className();
            default -> Allocating.className();
          };
      System.out.println(order + ' ' + answer);
    }
  }

  /** Loads another allocator of the same Netty when it is first used. */
  private static final class AllocatingLate {
    private static final io.netty.buffer.ByteBufAllocator ALLOCATOR =
        new io.netty.buffer.AdaptiveByteBufAllocator();

    static String className() {
      io.netty.buffer.ByteBuf buffer = ALLOCATOR.directBuffer(64);
      String name = Bare.className(buffer);
      buffer.release();
      return name;
    }
  }

  /** Loads Netty when it is first used. */
  private static final class Allocating {
    static String className() {
      io.netty.buffer.ByteBuf buffer =
          io.netty.buffer.PooledByteBufAllocator.DEFAULT.directBuffer(64);
      String name = Bare.className(buffer);
      buffer.release();
      return name;
    }
  }
}
