/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorNamesTest {
  private static final String LIBRARY = "dev/cistern" + AllocatorNames.POOLED;

  @Test
  void theAllocatorOfTheLibraryIsNoCopyOfNetty() {
    assertThat(AllocatorNames.isOfLibrary(LIBRARY, NettyJars::own)).isTrue();
  }

  @Test
  void theAllocatorOfARelocatedLibraryIsNoCopyOfNetty() {
    ClassRenamer renamer = new ClassRenamer().rename("dev/cistern/", "com/shop/shaded/");
    byte[] relocated = renamer.apply(NettyJars.own(LIBRARY));
    assertThat(
            AllocatorNames.isOfLibrary(
                "com/shop/shaded" + AllocatorNames.POOLED, name -> relocated))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theAllocatorsOfNettyAreNotTheLibrarys(String line) {
    for (String name : new String[] {AllocatorNames.POOLED, AllocatorNames.ADAPTIVE}) {
      assertThat(AllocatorNames.isOfLibrary("io/netty" + name, NettyJars.classFiles(line)::get))
          .isFalse();
    }
  }

  @Test
  void aClassWithoutAFileIsNotTheLibrarys() {
    assertThat(AllocatorNames.isOfLibrary(LIBRARY, name -> null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBufAllocatorL$InnerAllocator",
        "com/shop/shaded/io/netty/buffer/OwnAllocator",
      })
  void anAllocatorBesideNettysIsOneByItsPackage(String name) {
    assertThat(AllocatorNames.isBesideNettys(name)).isTrue();
    assertThat(AllocatorNames.prefix(name)).endsWith("io/netty");
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
    assertThat(AllocatorNames.isBesideNettys(name)).isFalse();
  }
}
