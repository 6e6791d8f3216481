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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A container that deploys an application again and again, and serves all of them with the same few
 * threads. It prints to stdout which buffers the applications got, and what remains of them
 * afterwards.
 */
public final class Container {
  /**
   * Limit of lost native memory for each round. Netty's adaptive allocator loses its memory from
   * before the pool serves, a little more than 1 MiB. Cistern's memory would be 30 MiB.
   */
  public static final int MAX_NATIVE_MIB_PER_ROUND = 2;

  /** Limit with a neighbour, whose own chunks are allocated and freed meanwhile. */
  public static final int MAX_OTHER_NATIVE_MIB = 100;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final int THREADS = 3;
  private static final int BETWEEN_COLLECTIONS = 4;

  /**
   * Number of rounds between two with channels, because Netty's last thread ends a second after the
   * channels.
   */
  private static final int BETWEEN_CHANNELS = 8;

  /**
   * Tolerance of direct memory in bytes. It is less than a chunk of Netty or Cistern, and more than
   * the JDK itself keeps in its threads.
   */
  private static final long DIRECT_SLACK = 1 << 20;

  private final boolean swaps;
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

  /**
   * Phantom references, because other references are cleared before the finalizers of Netty and
   * Cistern have run.
   */
  private final List<PhantomReference<ClassLoader>> loaders = new ArrayList<>();

  /** Largest direct memory that the JVM counts while an application runs. */
  private long mostDirect;

  /** Largest number of mappings of {@code /dev/zero} while an application runs. */
  private long mostMappings;

  private Container(boolean swaps) {
    this.swaps = swaps;
  }

  /**
   * Deploys and undeploys the application.
   *
   * @param arguments {@code swap} or {@code bare}, the number of rounds, the class path of the
   *     redeployed application, and that of a neighbour that stays deployed, if any
   */
  public static void main(String[] arguments) throws Exception {
    Container container = new Container(arguments[0].equals("swap"));
    int rounds = Integer.parseInt(arguments[1]);
    Function<String, Object> neighbour = null;
    if (arguments.length > 3) {
      neighbour = application(loader(arguments[3]));
      container.waitUntilServed(neighbour);
      System.out.println("neighbour " + neighbour.apply("class"));
    }
    int most = neighbour == null ? rounds * MAX_NATIVE_MIB_PER_ROUND : MAX_OTHER_NATIVE_MIB;
    long directBefore = directBytes();
    long mappingsBefore = Mappings.ofDevice();
    long nativeAtFirst = nativeKilobytes();
    container.redeploy(arguments[2], rounds / 5, neighbour);
    container.settle(); // includes memory that is allocated only once
    awaitNative(nativeAtFirst, most);
    long nativeBefore = nativeKilobytes();
    int threadsBefore = Thread.activeCount();
    container.redeploy(arguments[2], rounds - rounds / 5, neighbour);
    container.settle();
    awaitNative(nativeBefore, most);
    if (neighbour == null) { // a neighbour's own memory would be counted too
      awaitDirect(directBefore);
      System.out.println("direct " + (directBytes() - directBefore));
      System.out.println("most direct " + container.mostDirect);
      awaitMappings(mappingsBefore);
      System.out.println("mappings " + (Mappings.ofDevice() - mappingsBefore));
      System.out.println("most mappings " + container.mostMappings);
    } else {
      container.serve(neighbour);
      System.out.println("neighbour " + neighbour.apply("class"));
    }
    container.report(nativeKilobytes() - nativeBefore, Thread.activeCount() - threadsBefore);
    container.pool.shutdown();
  }

  private void redeploy(String classPath, int rounds, Function<String, Object> neighbour)
      throws Exception {
    for (int round = 0; round < rounds; round++) {
      deployOnce(classPath, round % BETWEEN_CHANNELS == 0, neighbour);
      if (round % BETWEEN_COLLECTIONS == 0) {
        settle(); // freeing an application takes two collections, and the heap is small
      }
    }
  }

  private void deployOnce(String classPath, boolean hasChannels, Function<String, Object> neighbour)
      throws Exception {
    try (URLClassLoader loader = loader(classPath)) {
      loaders.add(new PhantomReference<>(loader, new ReferenceQueue<>()));
      Function<String, Object> application = application(loader);
      Future<?> underTraffic = pool.submit(() -> send(application, "request"));
      waitUntilServed(application);
      serve(application);
      if (neighbour != null) {
        serve(neighbour);
      }
      send(application, "workers");
      if (hasChannels) {
        send(application, "channels");
      }
      send(application, "leak");
      send(application, "keep");
      mostDirect = Math.max(mostDirect, directBytes());
      mostMappings = Math.max(mostMappings, Mappings.ofDevice());
      underTraffic.get();
    }
  }

  private static void send(Function<String, Object> application, String command) {
    Object unused = application.apply(command);
  }

  private static URLClassLoader loader(String classPath) throws Exception {
    String[] entries = Pattern.compile(File.pathSeparator, Pattern.LITERAL).split(classPath, -1);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      urls[i] = new File(entries[i]).toURI().toURL();
    }
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  @SuppressWarnings("unchecked") // from another loader, with an interface of the JDK
  private static Function<String, Object> application(ClassLoader loader) throws Exception {
    return (Function<String, Object>)
        Class.forName("example.host.WebApplication", true, loader)
            .asSubclass(Function.class)
            .getConstructor()
            .newInstance();
  }

  private void waitUntilServed(Function<String, Object> application) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (swaps && application.apply("class").toString().startsWith("io.netty.")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("not served");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** One request by each of the container's threads, with the loader in the thread's context. */
  private void serve(Function<String, Object> application) throws Exception {
    List<Future<?>> requests = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      requests.add(
          pool.submit(
              () -> {
                Thread thread = Thread.currentThread();
                ClassLoader own = thread.getContextClassLoader();
                thread.setContextClassLoader(application.getClass().getClassLoader());
                try {
                  send(application, "request");
                } finally {
                  thread.setContextClassLoader(own);
                }
              }));
    }
    for (Future<?> request : requests) {
      request.get();
    }
  }

  /**
   * Waits until all loaders are collected. If the agent keeps one, the time limit ends the wait.
   */
  private void settle() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (left() > 0 && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Waits until threads of the JDK have freed the direct buffers of undeployed applications. */
  private static void awaitDirect(long before) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (directBytes() - before > DIRECT_SLACK && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Waits until the agent has unmapped the memory of undeployed applications. */
  private static void awaitMappings(long before) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (Mappings.ofDevice() > before && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /**
   * Waits until the agent, which checks once a second, has freed the memory of undeployed
   * applications.
   */
  private static void awaitNative(long before, int mostMib) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (nativeKilobytes() - before >= mostMib * 1024L && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private long left() {
    return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
  }

  private void report(long nativeKilobytes, int threads) throws Exception {
    System.out.println("loaders " + left());
    System.out.println("threads " + threads);
    System.out.println("native " + nativeKilobytes);
    Matcher line =
        Pattern.compile("^ *\\d+: +(\\d+) +(\\d+) +(\\S+)", Pattern.MULTILINE)
            .matcher(command("gcClassHistogram"));
    while (line.find()) {
      String name = line.group(3);
      if (name.startsWith("dev.cistern.") || name.startsWith("io.netty.")) {
        System.out.println("histogram " + line.group(1) + " " + name);
      }
    }
  }

  /** Returns the bytes that the JVM counts as direct memory, and compares with the limit. */
  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(bean -> bean.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Returns the memory of native code and {@code Unsafe} in KiB, as the JVM counts it. */
  private static long nativeKilobytes() throws Exception {
    Matcher other =
        Pattern.compile("Other \\(reserved=(\\d+)KB").matcher(command("vmNativeMemory"));
    return other.find() ? Long.parseLong(other.group(1)) : 0;
  }

  private static String command(String operation) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            operation,
            new Object[] {new String[0]},
            new String[] {String[].class.getName()})
        .toString();
  }
}
