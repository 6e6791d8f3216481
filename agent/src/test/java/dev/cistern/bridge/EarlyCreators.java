/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.CisternHook;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program that constructs allocators before the first listener. It runs in a separate class
 * loader.
 */
public final class EarlyCreators implements Supplier<List<String>> {
  static List<String> inALoaderOfItsOwn() throws ReflectiveOperationException {
    URL[] paths =
        Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1))
            .map(EarlyCreators::url)
            .toArray(URL[]::new);
    ClassLoader loader = new URLClassLoader(paths, ClassLoader.getPlatformClassLoader());
    Object early =
        loader.loadClass(EarlyCreators.class.getName()).getDeclaredConstructor().newInstance();
    List<String> found = new ArrayList<>();
    ((List<?>) ((Supplier<?>) early).get()).forEach(each -> found.add((String) each));
    return found;
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (java.net.MalformedURLException invalid) {
      throw new IllegalArgumentException(path, invalid);
    }
  }

  /** Returns the creators that the first listener gets. */
  @Override
  public List<String> get() {
    List<AbstractByteBufAllocator> held = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      held.add(new UnpooledByteBufAllocator(true));
      CisternHook.created(held.get(i)); // as the instrumented constructor does
    }
    List<AbstractByteBufAllocator> listened = new ArrayList<>();
    List<String> creators = new ArrayList<>();
    CisternHook.listen(listened::add);
    CisternHook.early(
        (allocator, creator) -> {
          if (allocator != held.get(creators.size())) {
            throw new IllegalStateException("another order");
          }
          creators.add(creator);
        });
    CisternHook.created(held.get(0));
    CisternHook.listen(null);
    CisternHook.created(held.get(1));
    CisternHook.early((allocator, creator) -> creators.add("again: " + creator));
    if (!listened.equals(held.subList(0, 1))) {
      throw new IllegalStateException("listened to " + listened);
    }
    return creators;
  }
}
