/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyNamesTest {
  private static final String LIBRARY = "dev/cistern" + NettyNames.POOLED;

  @Test
  void theAllocatorOfTheLibraryIsNoCopyOfNetty() {
    assertThat(NettyNames.isOfLibrary(LIBRARY, NettyJars::own)).isTrue();
  }

  @Test
  void theAllocatorOfARelocatedLibraryIsNoCopyOfNetty() {
    ClassRenamer renamer = new ClassRenamer().rename("dev/cistern/", "com/shop/shaded/");
    byte[] relocated = renamer.apply(NettyJars.own(LIBRARY));
    assertThat(NettyNames.isOfLibrary("com/shop/shaded" + NettyNames.POOLED, name -> relocated))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theAllocatorsOfNettyAreNotTheLibrarys(String line) {
    for (String name : new String[] {NettyNames.POOLED, NettyNames.ADAPTIVE}) {
      assertThat(NettyNames.isOfLibrary("io/netty" + name, NettyJars.classFiles(line)::get))
          .isFalse();
    }
  }

  @Test
  void aClassWithoutAFileIsNotTheLibrarys() {
    assertThat(NettyNames.isOfLibrary(LIBRARY, name -> null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBufAllocatorL$InnerAllocator",
        "com/shop/shaded/io/netty/buffer/OwnAllocator",
      })
  void anAllocatorBesideNettysIsOneByItsPackage(String name) {
    assertThat(NettyNames.isBesideNetty(name)).isTrue();
    assertThat(NettyNames.prefix(name)).endsWith("io/netty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PoolArena",
        "io/netty/buffer/search/SearchAllocator",
        "org/apache/flink/NettyBufferPoolAllocator",
        "buffer/Allocator",
        "Allocator",
      })
  void otherClassesAreNotBesideNettys(String name) {
    assertThat(NettyNames.isBesideNetty(name)).isFalse();
  }
}
