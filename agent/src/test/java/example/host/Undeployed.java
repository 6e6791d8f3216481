/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A container that deploys {@link LateFinalizer} once, undeploys it, and delays its finalizers for
 * as long as the agent would need to free memory. It prints to stdout what remains afterwards.
 */
public final class Undeployed {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  /**
   * Delay of the finalizers. The agent's thread checks once a second, and freed memory may stay in
   * quarantine for another second.
   */
  private static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

  private static PhantomReference<ClassLoader> loader;

  private Undeployed() {}

  /**
   * Deploys and undeploys the application.
   *
   * @param arguments the class path of the application
   */
  public static void main(String[] arguments) throws Exception {
    long directBefore = directBytes();
    deploy(arguments[0]);
    for (int round = 1; round <= LateFinalizer.ROUNDS; round++) {
      int now = round;
      await(PATIENCE_NANOS, () -> Integer.getInteger(LateFinalizer.BEGUN, 0) == now);
      await(HELD_UP_NANOS, () -> false); // the memory must not be freed
      System.setProperty(LateFinalizer.MAY_END, String.valueOf(round));
    }
    await(PATIENCE_NANOS, () -> loader.refersTo(null) && directBytes() - directBefore < 1 << 20);
    System.out.println("loader gone " + loader.refersTo(null));
    System.out.println("direct " + (directBytes() - directBefore));
  }

  @SuppressWarnings("unchecked") // from another loader, with an interface of the JDK
  private static void deploy(String classPath) throws Exception {
    String[] entries = Pattern.compile(File.pathSeparator, Pattern.LITERAL).split(classPath, -1);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      urls[i] = new File(entries[i]).toURI().toURL();
    }
    try (URLClassLoader own = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      loader = new PhantomReference<>(own, new ReferenceQueue<>());
      Function<String, Object> application =
          (Function<String, Object>)
              Class.forName("example.host.LateFinalizer", true, own)
                  .asSubclass(Function.class)
                  .getConstructor()
                  .newInstance();
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (application.apply("class").toString().startsWith("io.netty.")
          && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      System.out.println("left " + application.apply("leave"));
    }
  }

  private static void await(long nanos, BooleanSupplier state) {
    long deadline = System.nanoTime() + nanos;
    while (!state.getAsBoolean() && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(bean -> bean.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
