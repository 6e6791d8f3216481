/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SiteFinderTest {
  private static StackTraceElement frame(String className, String method, int line) {
    return new StackTraceElement(className, method, "File.java", line);
  }

  private static String site(String prefix, StackTraceElement... stack) {
    return new SiteFinder(prefix).site(stack);
  }

  @Test
  void theFirstFrameOfTheApplicationIsTheSite() {
    assertEquals(
        "com.shop.Cart.encode:42",
        site(
            "io.netty",
            frame("dev.cistern.leak.LeakDetector", "track", 1),
            frame("io.netty.buffer.AbstractByteBufAllocator", "directBuffer", 2),
            frame("java.util.Optional", "map", 3),
            frame("com.shop.Cart", "encode", 42),
            frame("io.netty.channel.AbstractChannelHandlerContext", "fireChannelRead", 5)));
  }

  @Test
  void aRelocatedCopyIsKnownByItsPrefix() {
    assertEquals(
        "com.shop.Cart.encode:42",
        site(
            "com.vendor.internal.network",
            frame("com.vendor.internal.network.buffer.Allocator", "directBuffer", 2),
            frame("com.vendor.internal.network.channel.Loop", "read", 2),
            frame("com.shop.Cart", "encode", 42)));
  }

  @Test
  void anotherRelocatedCopyIsKnownByItsStructure() {
    assertEquals(
        "com.shop.Cart.encode:42",
        site(
            "io.netty",
            frame("com.vendor.shaded.netty.buffer.Allocator", "directBuffer", 2),
            frame("com.vendor.shaded.io.netty.channel.Loop", "read", 2),
            frame("org.grpc.netty.util.Recycler", "get", 3),
            frame("com.shop.Cart", "encode", 42)));
  }

  @Test
  void aFrameworkAboveNettyIsASite() {
    assertEquals(
        "reactor.netty.channel.FluxReceive.drain:7",
        site(
            "io.netty",
            frame("io.netty.buffer.AbstractByteBufAllocator", "directBuffer", 2),
            frame("reactor.netty.channel.FluxReceive", "drain", 7)));
  }

  @Test
  void anApplicationBelowOurOwnNameIsASite() {
    assertEquals(
        "dev.cistern.demo.Server.leak:9",
        site(
            "io.netty",
            frame("dev.cistern.pool.BufferPool", "allocate", 1),
            frame("dev.cistern.demo.Server", "leak", 9)));
  }

  @Test
  void theSiteIsInNettyWithoutAnApplicationFrame() {
    assertEquals(
        "io.netty.channel.nio.AbstractNioByteChannel.read:151",
        site(
            "io.netty",
            frame("io.netty.buffer.AbstractByteBufAllocator", "ioBuffer", 2),
            frame("io.netty.channel.nio.AbstractNioByteChannel", "read", 151),
            frame("io.netty.util.concurrent.FastThreadLocalRunnable", "run", 30),
            new StackTraceElement(
                "app", "java.base", "17", "java.lang.Thread", "run", "Thread.java", 840)));
  }

  @Test
  void aStackOfNothingButJdkFramesHasItsFirstAsSite() {
    assertEquals("java.lang.Thread.run:1", site("p", frame("java.lang.Thread", "run", 1)));
    assertEquals("java.lang.Thread.run", site("p", frame("java.lang.Thread", "run", -2)));
  }

  @Test
  void aStackWithoutFramesIsUnknown() {
    assertEquals("unknown", site("p"));
  }
}
