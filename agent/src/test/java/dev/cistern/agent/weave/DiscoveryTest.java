/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {
  private final AtomicInteger told = new AtomicInteger();
  private final Discovery discovery = new Discovery(told::incrementAndGet);
  private final ClassLoader loader = DiscoveryTest.class.getClassLoader();

  private byte[] sees(ClassLoader definedBy, String className) {
    return discovery.transform(definedBy, className, null, null, new byte[] {1});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBufAllocator",
        "io/netty/buffer/AdaptiveByteBufAllocator",
        "io/grpc/netty/shaded/io/netty/buffer/PooledByteBufAllocator",
        "a/b/shaded/c/shaded/io/netty/buffer/AdaptiveByteBufAllocator",
      })
  void anAllocatorIsNotedAndLeftAsItIs(String className) {
    assertThat(sees(loader, className)).isNull();
    assertThat(told).hasValue(1);
    Sighting sighting = discovery.take();
    assertThat(sighting.className()).isEqualTo(className);
    assertThat(sighting.prefix() + "/buffer/")
        .isEqualTo(className.substring(0, className.lastIndexOf('/') + 1));
    assertThat(sighting.loader()).isSameAs(loader);
    assertThat(sighting.next()).isNull();
    assertThat(discovery.take()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/UnpooledByteBufAllocator",
        "io/netty/buffer/MyPooledByteBufAllocator",
        "io/netty/buffer/PooledByteBufAllocatorL$InnerAllocator",
      })
  void anAllocatorBesideNettysIsNotedInNoHurry(String className) {
    assertThat(sees(loader, className)).isNull();
    Sighting sighting = discovery.take();
    assertThat(sighting.className()).isEqualTo(className);
    assertThat(sighting.prefix()).isEqualTo("io/netty");
    assertThat(sighting.isNettys()).isFalse();
    assertThat(told).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBuf",
        "PooledByteBufAllocator",
        "java/lang/String",
      })
  void anythingElseIsNot(String className) {
    assertThat(sees(loader, className)).isNull();
    assertThat(discovery.take()).isNull();
    assertThat(told).hasValue(0);
  }

  @Test
  void aHiddenClassHasNoNameAndNoSighting() {
    assertThat(sees(loader, null)).isNull();
    assertThat(discovery.take()).isNull();
  }

  @Test
  void allSightingsAreTakenAtOnce() {
    sees(loader, "a/buffer/PooledByteBufAllocator");
    sees(loader, "b/buffer/PooledByteBufAllocator");
    Sighting latest = discovery.take();
    assertThat(latest.prefix()).isEqualTo("b");
    assertThat(latest.next().prefix()).isEqualTo("a");
  }

  @Test
  void aRetransformationThatNobodyAskedForChangesNothing() {
    assertThat(
            discovery.transform(
                loader, "io/netty/buffer/PooledByteBufAllocator", String.class, null, new byte[4]))
        .isNull();
    assertThat(discovery.take()).isNull();
  }

  @Test
  void theRehearsalLeavesNothingBehind() {
    discovery.rehearse();
    assertThat(discovery.take()).isNull();
    assertThat(told).hasValue(0);
  }
}
