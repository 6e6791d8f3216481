/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.OwnArenaAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An application of Netty that also uses another library, which the first argument names: {@code
 * library}, Cistern's own library, or {@code arenas}, an allocator that takes memory from Netty's
 * arenas directly. Orders: {@code buffer} (one is allocated and released), {@code make} (an
 * allocator is created and used), {@code hold} (a buffer is taken from an arena and held) and
 * {@code drop} (those are released).
 */
public final class OtherLibraries {
  private static final List<PooledByteBufAllocator> MADE = new ArrayList<>();

  private OtherLibraries() {}

  /** Runs until its input ends. */
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
      switch (order) {
        case "make" -> make();
        case "hold" -> OwnArenas.hold();
        case "drop" -> OwnArenas.drop();
        default -> {}
      }
      System.out.println(order);
    }
  }

  private static void make() {
    PooledByteBufAllocator made = new PooledByteBufAllocator(true);
    made.directBuffer(64).release();
    MADE.add(made);
  }

  /** A separate class, which is loaded only when it is used. */
  private static final class Library {
    static void use() {
      new dev.cistern.buffer.PooledByteBufAllocator(true).directBuffer(100).writeLong(1).release();
    }
  }

  /** A separate class, which is loaded only when it is used. */
  private static final class OwnArenas {
    private static final OwnArenaAllocator ALLOCATOR = new OwnArenaAllocator();
    private static final List<ByteBuf> HELD = new ArrayList<>();

    static void use() {
      ByteBuf buffer = ALLOCATOR.ownBuffer(64);
      System.out.println("class " + Bare.className(buffer));
      buffer.release();
      Unpooled.buffer(1).release();
    }

    static void hold() {
      HELD.add(ALLOCATOR.ownBuffer(1_000));
    }

    static void drop() {
      HELD.forEach(ByteBuf::release);
      HELD.clear();
    }
  }
}
