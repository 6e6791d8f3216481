/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.Discovery;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A JVM that ends returns null where its contract says an array of classes: this is no fault. */
class EndingJvmTest {
  private final Instrumentation ending = instrumentation(() -> null);

  /** What answers each question in the same way. */
  private static Instrumentation instrumentation(Supplier<@Nullable Object> answer) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            EndingJvmTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> answer.get());
  }

  private static CopyServer server(Instrumentation instrumentation) {
    return new CopyServer(
        instrumentation,
        new Discovery(() -> {}),
        new DirectMemoryReclaim(instrumentation, List.of()),
        () -> "no endpoint");
  }

  @Test
  void aCopyIsNotLeftToItselfForThat() {
    CopyServer server = server(ending);
    ClassLoader loader = EndingJvmTest.class.getClassLoader();
    NettyCopy copy = new NettyCopy("io/netty", "io.netty", loader);
    copy.want(Mode.SWAP, "");
    copy.woven();
    copy.waits();
    server.weaveNews(copy, loader);
    assertThat(copy.failures()).isZero();
    assertThat(copy.hasFallenBack()).isFalse();
    assertThat(copy.aim()).isEqualTo(Mode.SWAP);
  }

  /** It ends while a class is looked at: what fails by then says nothing about the copy. */
  @Test
  void whatFailsAtThatMomentIsNoFaultOfTheCopy() {
    AtomicInteger asked = new AtomicInteger();
    Instrumentation nearlyEnding =
        instrumentation(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new InternalError("wrong phase");
              }
              return null;
            });
    CopyServer server = server(nearlyEnding);
    ClassLoader loader = EndingJvmTest.class.getClassLoader();
    NettyCopy copy = new NettyCopy("io/netty", "io.netty", loader);
    copy.want(Mode.SWAP, "");
    copy.woven();
    copy.waits();
    server.weaveNews(copy, loader);
    assertThat(asked).hasValue(2);
    assertThat(copy.failures()).isZero();
    assertThat(copy.aim()).isEqualTo(Mode.SWAP);
  }

  @Test
  void aScanFindsNothing() {
    Discovery discovery = new Discovery(() -> {});
    discovery.scan(ending);
    assertThat(discovery.take()).isNull();
  }
}
