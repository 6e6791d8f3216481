/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.GarbageCollection;
import example.netty.Deployed;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The undeployment of an application that contains the module. */
class RedeployTest {
  private static final Path NETTY = Path.of("target", "netty", "4.1");

  @Test
  void afterShutdownTheClassLoaderIsCollected() throws Exception {
    WeakReference<ClassLoader> loader = deploy();
    GarbageCollection.until(() -> loader.get() == null);
  }

  private static WeakReference<ClassLoader> deploy() throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Deployed.class.getName());
      assertThat(type).isNotEqualTo(Deployed.class);
      List<Throwable> failures = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  ((Runnable) type.getConstructor().newInstance()).run();
                } catch (ReflectiveOperationException | RuntimeException | Error failure) {
                  failures.add(failure);
                }
              });
      thread.setContextClassLoader(loader);
      thread.start();
      thread.join();
      assertThat(failures).isEmpty();
      return new WeakReference<>(loader);
    }
  }

  private static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Class<?> type :
        List.of(CisternAllocator.class, Deployed.class, dev.cistern.buffer.ByteBuf.class)) {
      urls.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    try (Stream<Path> jars = Files.list(NETTY)) {
      for (Path jar : jars.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }
}
