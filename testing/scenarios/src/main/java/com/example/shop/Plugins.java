/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plugins that the shop loads repeatedly, each time with a separate class loader. */
final class Plugins {
  private static final List<Class<?>> CLASSES =
      List.of(
          Shop.class,
          Pace.class,
          Orders.class,
          Campaigns.class,
          Images.class,
          Servers.class,
          Sessions.class,
          Natives.class);

  private Plugins() {}

  /** Loads {@code rate} times a second for {@code seconds}, and keeps all loaders. */
  static void load(Shop shop) {
    Map<String, byte[]> bytes = new LinkedHashMap<>();
    CLASSES.forEach(type -> bytes.put(type.getName(), classFile(type)));
    int rate = shop.number("rate", 30);
    long loads = (long) rate * shop.number("seconds", 2400);
    shop.ready();
    Shop.start(
        "shop-plugins-1",
        () -> {
          List<Loader> loaders = new ArrayList<>();
          while (loaders.size() < loads) {
            Loader loader = new Loader(bytes);
            for (String name : bytes.keySet()) {
              Class.forName(name, true, loader);
            }
            loaders.add(loader);
            Thread.sleep(1000 / rate);
          }
          Images.keep(loaders);
        });
  }

  private static byte[] classFile(Class<?> type) {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      if (in == null) {
        throw new IllegalStateException("no class file of " + type.getName());
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> files;

    Loader(Map<String, byte[]> files) {
      super(Plugins.class.getClassLoader());
      this.files = files;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte[] file = files.get(name);
      if (file == null) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? defineClass(name, file, 0, file.length) : loaded;
      }
    }
  }
}
