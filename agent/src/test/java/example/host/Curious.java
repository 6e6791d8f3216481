/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A host that searches its loaders and modules for classes and packages that it should not see. */
public final class Curious {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Curious() {}

  /**
   * Prints the classes and packages that it can see.
   *
   * @param arguments {@code swap}, to wait until the pool serves; then names of classes
   */
  public static void main(String[] arguments) throws Exception {
    PooledByteBufAllocator.DEFAULT.directBuffer(16).release(); // Netty itself has started
    if (arguments[0].equals("swap")) {
      waitForSwap();
    }
    try (URLClassLoader own = new URLClassLoader(new URL[0])) {
      Map<String, ClassLoader> loaders = new LinkedHashMap<>();
      loaders.put("system", ClassLoader.getSystemClassLoader());
      loaders.put("context", Thread.currentThread().getContextClassLoader());
      loaders.put("of netty", ByteBuf.class.getClassLoader());
      loaders.put("own", own);
      loaders.put("platform", ClassLoader.getPlatformClassLoader());
      loaders.put("boot", null);
      for (int i = 1; i < arguments.length; i++) {
        for (Map.Entry<String, ClassLoader> loader : loaders.entrySet()) {
          find(arguments[i], loader.getKey(), loader.getValue());
        }
      }
      showModule("system", ClassLoader.getSystemClassLoader().getUnnamedModule());
      showModule("own", own.getUnnamedModule());
    }
    System.out.println("done");
  }

  private static void waitForSwap() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - deadline < 0) {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(16);
      boolean foreign = Bare.className(buffer).startsWith("dev.cistern.");
      buffer.release();
      if (foreign) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    System.out.println("not served");
  }

  private static void find(String name, String loaderName, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      System.out.println("class seen " + name + " by " + loaderName);
    } catch (ClassNotFoundException hidden) {
      // as it should be
    }
    String file = name.replace('.', '/') + ".class";
    URL found = loader == null ? Object.class.getResource('/' + file) : loader.getResource(file);
    if (found != null) {
      System.out.println("class file seen " + name + " by " + loaderName);
    }
  }

  /**
   * Prints the packages that the JDK's modules open or export to a module, in addition to those
   * that they export to all.
   */
  private static void showModule(String name, Module module) {
    TreeSet<String> names = new TreeSet<>();
    for (Module jdk : ModuleLayer.boot().modules()) {
      names.add(jdk.getName());
    }
    for (String jdkName : names) {
      Module jdk = ModuleLayer.boot().findModule(jdkName).orElseThrow();
      StringBuilder open = new StringBuilder();
      for (String packageName : new TreeSet<>(jdk.getPackages())) {
        if (jdk.isOpen(packageName, module)) {
          open.append(' ').append(packageName);
        } else if (jdk.isExported(packageName, module) && !jdk.isExported(packageName)) {
          open.append(' ').append(packageName).append(" exported");
        }
      }
      System.out.println(name + ' ' + jdkName + " reads it " + jdk.canRead(module) + open);
    }
  }
}
