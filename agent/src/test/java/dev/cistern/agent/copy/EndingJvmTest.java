/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.Discovery;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** A JVM that ends returns null where its contract says an array of classes: this is no fault. */
class EndingJvmTest {
  private final Instrumentation ending =
      (Instrumentation)
          Proxy.newProxyInstance(
              EndingJvmTest.class.getClassLoader(),
              new Class<?>[] {Instrumentation.class},
              (proxy, method, arguments) -> null);

  @Test
  void aCopyIsNotLeftToItselfForThat() {
    CopyServer server = new CopyServer(ending, new Discovery(() -> {}), () -> "no endpoint");
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

  @Test
  void aScanFindsNothing() {
    Discovery discovery = new Discovery(() -> {});
    discovery.scan(ending);
    assertThat(discovery.take()).isNull();
  }
}
