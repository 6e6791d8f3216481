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
 * A detector that tracks a sample of objects, and reports those that were garbage collected without
 * a release.
 *
 * <p>It searches for leaks whenever it starts to track an object. Settings: {@code
 * cistern.leakDetection.level} ({@code disabled}, {@code simple}, {@code advanced}, {@code
 * paranoid}; default {@code simple}), {@code cistern.leakDetection.samplingInterval} (a power of
 * two, default 128), {@code cistern.leakDetection.targetRecords} (number of the last accesses in a
 * report; default 4, 0 for none).
 *
 * @param <T> the type of the objects
 */
public class ResourceLeakDetector<T> {
  /** The scope of leak detection. */
  public enum Level {
    /** No object is tracked. */
    DISABLED,
    /** A sample of the objects is tracked. A report shows the stack of the allocation. */
    SIMPLE,
    /** The same sample is tracked. A report also shows the stacks of the last accesses. */
    ADVANCED,
    /** Every object is tracked, with the reports of {@link #ADVANCED}. */
    PARANOID
  }

  /** A listener for each leak that is reported. */
  @FunctionalInterface
  public interface LeakListener {
    /**
     * Receives a leak, on the thread that found it, after it was logged. Exceptions of this method
     * are logged, too.
     *
     * @param resourceType the simple name of the class of the leaked object
     * @param records the stacks of the allocation and of accesses, in several lines; may be empty
     */
    void onLeak(String resourceType, String records);
  }

  /** The default sampling interval: the number of objects of which one is tracked. */
  public static final int SAMPLING_INTERVAL =
      Settings.powerOfTwo("leakDetection.samplingInterval", 128, 1, 1 << 30);

  static final int MAX_RECORDS = Settings.number("leakDetection.targetRecords", 4, 0, 1 << 10);

  /**
   * The maximum number of different reports that are remembered; beyond it, a report may repeat.
   */
  private static final int REMEMBERED_REPORTS = 1024;

  /** The class and method names of frames that no report shows. Any thread can add names. */
  private static final Set<String> NOISE = ConcurrentHashMap.newKeySet();

  private static final String TRACE_ACCESSES =
      " -Dcistern.leakDetection.level=advanced also shows where it was used.";

  private static final String NOT_SHOWN =
      " earlier accesses are not shown (-Dcistern.leakDetection.targetRecords="
          + MAX_RECORDS
          + ")\n";

  private static final Pattern OWN_FRAMES =
      Pattern.compile("dev[.]cistern[.](trace[.].*|util[.]Resource(LeakDetector|Watch))");

  // Any thread can write the level.
  private static volatile Level level = Settings.choice("leakDetection.level", Level.SIMPLE);

  private final String resourceType;
  private final int sampleMask;
  final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** The open watches. This set keeps them reachable, because they must outlive their objects. */
  final Set<ResourceWatch<?>> open = ConcurrentHashMap.newKeySet();

  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  private volatile @Nullable LeakListener listener;

  /**
   * Creates a detector that tracks one in {@code samplingInterval} objects, at random.
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
    // The next power of two minus 1. One in so many random numbers has only zeros in these bits.
    sampleMask =
        samplingInterval == 1 ? 0 : -1 >>> Integer.numberOfLeadingZeros(samplingInterval - 1);
  }

  /**
   * Creates a detector as {@link #ResourceLeakDetector(Class, int)} does; {@code maxActive} is not
   * used.
   */
  public ResourceLeakDetector(Class<?> resourceType, int samplingInterval, long maxActive) {
    this(resourceType, samplingInterval);
  }

  /** Sets the level of all detectors. Objects that are tracked already stay so. */
  public static void setLevel(Level level) {
    ResourceLeakDetector.level = Objects.requireNonNull(level, "level");
  }

  /** Returns the level of all detectors. */
  public static Level getLevel() {
    return level;
  }

  /** Returns whether the level is not {@link Level#DISABLED}. */
  public static boolean isEnabled() {
    return level != Level.DISABLED;
  }

  /**
   * Excludes methods from all reports, because they do not help to find the cause of a leak.
   *
   * @throws IllegalArgumentException if the class declares no method with one of the names
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
   * Tracks an object if it is in the sample.
   *
   * @return the tracker to close when the object is released; null if the object is not tracked
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

  /** Tracks an object at any level. Returns the tracker to close when the object is released. */
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
    } catch (Throwable failure) { // the thread that found the leak must not fail
      logger()
          .log(
              System.Logger.Level.WARNING,
              () -> "leak listener failed: " + current.getClass().getName(),
              failure);
    }
  }

  /** Returns whether {@link #addExclusions} excludes a frame from reports. */
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
   * Reports a leak. The default implementation logs it as an error.
   *
   * @param resourceType the simple name of the class of the leaked object
   * @param records the stacks of the allocation and of accesses, in several lines
   */
  protected void reportTracedLeak(String resourceType, String records) {
    boolean isTraced = level.compareTo(Level.ADVANCED) >= 0;
    logLeak(resourceType, "." + (isTraced ? "" : TRACE_ACCESSES) + "\n" + records);
  }

  /**
   * Reports a leak without stacks. The default implementation logs it as an error.
   *
   * @param resourceType the simple name of the class of the leaked object
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
   * Returns the hint for the first record of a tracked object. The default implementation returns
   * null.
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
