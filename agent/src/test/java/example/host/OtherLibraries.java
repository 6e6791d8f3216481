/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.OwnArenaAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * An application of Netty that also uses what the first argument names: {@code library}, Cistern's
 * own library, or {@code arenas}, an allocator that takes memory from Netty's arenas itself. Order:
 * {@code buffer} (one is allocated and released).
 */
public final class OtherLibraries {
  private OtherLibraries() {}

  /** Ends with its input. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("library")) {
      Library.use();
    } else {
      OwnArenas.use();
    }
    PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
      System.out.println(order);
    }
  }

  /** Loaded where it is used. */
  private static final class Library {
    static void use() {
      new dev.cistern.buffer.PooledByteBufAllocator(true).directBuffer(100).writeLong(1).release();
    }
  }

  /** Loaded where it is used. */
  private static final class OwnArenas {
    static void use() {
      ByteBuf buffer = new OwnArenaAllocator().ownBuffer(64);
      System.out.println("class " + Bare.className(buffer));
      buffer.release();
    }
  }
}
