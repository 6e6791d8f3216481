/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.Settings;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Watches a sample of objects that must be released by hand, and reports which of them were garbage
 * collected without a release.
 *
 * <p>It looks for leaks when it begins to watch another object. Settings: {@code
 * cistern.leakDetection.level} ({@code disabled}, {@code simple}, {@code advanced}, {@code
 * paranoid}; default {@code simple}), {@code cistern.leakDetection.samplingInterval} (a power of
 * two, default 128), {@code cistern.leakDetection.targetRecords} (accesses shown in a report, the
 * last ones; default 4, 0 for none).
 *
 * @param <T> the type of the objects
 */
public class ResourceLeakDetector<T> {
  /** How much is watched. */
  public enum Level {
    /** Nothing. */
    DISABLED,
    /** A sample of the objects; a report says where they were made. */
    SIMPLE,
    /** The same sample; a report also says where they were used last. */
    ADVANCED,
    /** As {@link #ADVANCED}, for every object. */
    PARANOID
  }

  /** Receives each leak that is reported. */
  @FunctionalInterface
  public interface LeakListener {
    /**
     * Called by the thread that found the leak, after it was logged. An exception is logged, too,
     * and not passed on.
     *
     * @param resourceType the simple name of the class of what leaked
     * @param records where it was made and used, several lines; may be empty
     */
    void onLeak(String resourceType, String records);
  }

  /** The default sampling interval: one in so many objects is watched. */
  public static final int SAMPLING_INTERVAL =
      Settings.powerOfTwo("leakDetection.samplingInterval", 128, 1, 1 << 30);

  static final int MAX_RECORDS = Settings.number("leakDetection.targetRecords", 4, 0, 1 << 10);

  /** So many different reports are remembered; past that, one may be shown again. */
  private static final int REMEMBERED_REPORTS = 1024;

  /** Class and method of frames that no report shows. Added to by any thread. */
  private static final Set<String> NOISE = ConcurrentHashMap.newKeySet();

  private static final String TRACE_ACCESSES =
      " -Dcistern.leakDetection.level=advanced also shows where it was used.";

  private static final String NOT_SHOWN =
      " earlier accesses are not shown (-Dcistern.leakDetection.targetRecords="
          + MAX_RECORDS
          + ")\n";

  private static final Pattern OWN_FRAMES =
      Pattern.compile("dev[.]cistern[.](trace[.].*|util[.]Resource(LeakDetector|Watch))");

  // Written by any thread.
  private static volatile Level level = Settings.choice("leakDetection.level", Level.SIMPLE);

  private final String resourceType;
  private final int sampleMask;
  final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Keeps the watches reachable: they must outlive their objects. */
  final Set<ResourceWatch<?>> open = ConcurrentHashMap.newKeySet();

  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  private volatile @Nullable LeakListener listener;

  /**
   * Watches one in {@code samplingInterval} objects, at random.
   *
   * @param resourceType the class of the objects
   * @param samplingInterval rounded up to a power of two
   * @throws IllegalArgumentException if {@code samplingInterval} is not positive
   */
  public ResourceLeakDetector(Class<?> resourceType, int samplingInterval) {
    if (samplingInterval < 1) {
      throw new IllegalArgumentException(
          "samplingInterval: " + samplingInterval + " (expected: >= 1)");
    }
    this.resourceType = resourceType.getSimpleName();
    // The next power of two, less one: its bits are all 0 in one random number of that many.
    sampleMask =
        samplingInterval == 1 ? 0 : -1 >>> Integer.numberOfLeadingZeros(samplingInterval - 1);
  }

  /** As {@link #ResourceLeakDetector(Class, int)}; {@code maxActive} is not used. */
  public ResourceLeakDetector(Class<?> resourceType, int samplingInterval, long maxActive) {
    this(resourceType, samplingInterval);
  }

  /** Sets the level of all detectors, from now on; what is watched already stays so. */
  public static void setLevel(Level level) {
    ResourceLeakDetector.level = Objects.requireNonNull(level, "level");
  }

  /** The level of all detectors. */
  public static Level getLevel() {
    return level;
  }

  /** Whether the level is another than {@link Level#DISABLED}. */
  public static boolean isEnabled() {
    return level != Level.DISABLED;
  }

  /**
   * Leaves methods out of all reports, because they say nothing of who leaked.
   *
   * @throws IllegalArgumentException if the class itself declares no method of one of the names
   */
  @SuppressWarnings("rawtypes") // Netty's signature
  public static void addExclusions(Class clz, String... methodNames) {
    Set<String> missing = new TreeSet<>(Arrays.asList(methodNames));
    for (Method method : clz.getDeclaredMethods()) {
      missing.remove(method.getName());
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(clz.getName() + " declares no method " + missing);
    }
    for (String name : methodNames) {
      NOISE.add(clz.getName() + '.' + name);
    }
  }

  /**
   * Watches an object if it is in the sample.
   *
   * @return the tracker to close when the object is released; null if it is not watched
   */
  public final @Nullable ResourceLeakTracker<T> track(T obj) {
    Level level = ResourceLeakDetector.level;
    if (level == Level.DISABLED) {
      return null;
    }
    boolean sampled =
        level == Level.PARANOID || (ThreadLocalRandom.current().nextInt() & sampleMask) == 0;
    return sampled ? trackForcibly(obj) : null;
  }

  /** Watches an object at any level, and returns the tracker to close on its release. */
  public ResourceLeakTracker<T> trackForcibly(T obj) {
    reportLeaks();
    return new ResourceWatch<>(obj, this, getInitialHint(resourceType));
  }

  private void reportLeaks() {
    Reference<?> reference = collected.poll();
    if (reference == null) {
      return;
    }
    boolean needed = needReport();
    for (; reference != null; reference = collected.poll()) {
      if (reference instanceof ResourceWatch<?> watch && watch.end() && needed) {
        report(watch);
      }
    }
  }

  private void report(ResourceWatch<?> watch) {
    String records = watch.accesses();
    if (reported.size() >= REMEMBERED_REPORTS) {
      reported.clear();
    }
    if (!reported.add(records)) {
      return;
    }
    if (watch.dropped() > 0) {
      records += watch.dropped() + NOT_SHOWN;
    }
    if (records.isEmpty()) {
      reportUntracedLeak(resourceType);
    } else {
      reportTracedLeak(resourceType, records);
    }
    LeakListener current = listener;
    try {
      if (current != null) {
        current.onLeak(resourceType, records);
      }
    } catch (Throwable failure) { // not one of the thread that happened to find the leak
      logger()
          .log(
              System.Logger.Level.WARNING,
              () -> "leak listener failed: " + current.getClass().getName(),
              failure);
    }
  }

  /** Returns whether no report shows a frame, by {@link #addExclusions}. */
  protected static boolean isNoise(StackTraceElement frame) {
    String owner = frame.getClassName();
    return OWN_FRAMES.matcher(owner).matches()
        || NOISE.contains(owner + '.' + frame.getMethodName());
  }

  /** Returns whether leaks are reported; by default, whether errors of this class are logged. */
  protected boolean needReport() {
    return logger().isLoggable(System.Logger.Level.ERROR);
  }

  /**
   * Reports a leak; logs it as an error by default.
   *
   * @param resourceType the simple name of the class of what leaked
   * @param records where it was made and used, several lines
   */
  protected void reportTracedLeak(String resourceType, String records) {
    boolean isTraced = level.compareTo(Level.ADVANCED) >= 0;
    logLeak(resourceType, "." + (isTraced ? "" : TRACE_ACCESSES) + "\n" + records);
  }

  /**
   * Reports a leak of which nothing else is known; logs it as an error by default.
   *
   * @param resourceType the simple name of the class of what leaked
   */
  protected void reportUntracedLeak(String resourceType) {
    logLeak(resourceType, "; this virtual machine keeps no stacks.");
  }

  private static void logLeak(String resourceType, String details) {
    String leak = "LEAK: " + resourceType + ".release() was not called";
    String text = leak + " before it was garbage collected" + details;
    logger().log(System.Logger.Level.ERROR, () -> text); // not a format: it may contain braces
  }

  /**
   * Returns the hint of the first record of an object that begins to be watched; none by default.
   */
  protected @Nullable Object getInitialHint(String resourceType) {
    return null;
  }

  /** Sets the listener of leaks; null for none. */
  public void setLeakListener(@Nullable LeakListener leakListener) {
    listener = leakListener;
  }

  private static System.Logger logger() {
    return System.getLogger(ResourceLeakDetector.class.getName());
  }
}
