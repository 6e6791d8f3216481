/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.weave.AllocatorTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A JVM that ends returns null instead of an array of classes, against its contract, and
 * instruments nothing. That is no fault.
 */
class EndingJvmTest {
  private static final ClassLoader LOADER = EndingJvmTest.class.getClassLoader();

  /** Returns an instrumentation that lists these classes and refuses everything else. */
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

  private static boolean isEnding(Class<?> @Nullable [] initiated) throws BadSettingException {
    Instrumentation instrumentation = listing(initiated);
    NettyCopyActivator activator =
        new NettyCopyActivator(
            instrumentation,
            new AllocatorTransformer(() -> {}),
            new BridgeInstaller(
                instrumentation,
                name -> null,
                new ConfigReader().read(null).bridgeSettings(),
                new CopyMemory()),
            new DirectMemoryReclaim(instrumentation, List.of()));
    return activator.isEnding(new NettyCopy("io/netty", "io.netty", LOADER));
  }

  @Test
  void nullInsteadOfClassesMeansThatTheJvmEnds() throws BadSettingException {
    assertThat(isEnding(null)).isTrue();
    assertThat(isEnding(new Class<?>[0])).isFalse();
  }

  @Test
  void aScanFindsNothing() {
    AllocatorTransformer transformer = new AllocatorTransformer(() -> {});
    transformer.scan(listing(null));
    assertThat(transformer.take()).isNull();
  }
}
