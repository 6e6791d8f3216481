/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.Discovery;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A JVM that ends returns null where its contract says an array of classes, and weaves nothing:
 * this is no fault.
 */
class EndingJvmTest {
  private static final ClassLoader LOADER = EndingJvmTest.class.getClassLoader();

  /** Lists these classes, and refuses everything else. */
  private static Instrumentation listing(Class<?> @Nullable [] classes) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            LOADER,
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> {
              if (method.getReturnType() == Class[].class) {
                return classes;
              }
              throw new InternalError("wrong phase");
            });
  }

  private static NettyCopy afterWeaving(Instrumentation instrumentation) {
    CopyServer server =
        new CopyServer(
            instrumentation,
            new Discovery(() -> {}),
            new DirectMemoryReclaim(instrumentation, List.of()),
            () -> "no endpoint");
    NettyCopy copy = new NettyCopy("io/netty", "io.netty", LOADER);
    copy.sawAllocator("io/netty/buffer/PooledByteBufAllocator");
    Object initialized = PooledByteBufAllocator.DEFAULT;
    assertThat(initialized).isNotNull();
    copy.want(Mode.SWAP, "");
    copy.woven();
    copy.waits();
    server.weaveNews(copy, LOADER);
    return copy;
  }

  @Test
  void aClassThatCannotBeWovenThenIsNoFaultOfTheCopy() {
    NettyCopy copy = afterWeaving(listing(null));
    assertThat(copy.failures()).isZero();
    assertThat(copy.hasFallenBack()).isFalse();
    assertThat(copy.aim()).isEqualTo(Mode.SWAP);
  }

  @Test
  void atAnyOtherTimeItIsOne() {
    NettyCopy copy = afterWeaving(listing(new Class<?>[0]));
    assertThat(copy.failures()).isOne();
    assertThat(copy.hasFallenBack()).isTrue();
  }

  @Test
  void aScanFindsNothing() {
    Discovery discovery = new Discovery(() -> {});
    discovery.scan(listing(null));
    assertThat(discovery.take()).isNull();
  }
}
