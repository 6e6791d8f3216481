/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.internal.Settings;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts native memory against a limit: all that pools and unpooled buffers have allocated and not
 * freed, whether buffers use it or not. Thread-safe.
 */
public final class DirectMemoryLimit {
  private static final String KEY = "maxDirectMemory";
  static final String PROPERTY = "cistern." + KEY;
  private static final String JVM_OPTION = "-XX:MaxDirectMemorySize=";

  private static final class Shared {
    static final DirectMemoryLimit INSTANCE = new DirectMemoryLimit(ofProcess());
  }

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * @param limitBytes the most bytes that may be reserved at a time; at least 0
   * @throws IllegalArgumentException if {@code limitBytes} is negative
   */
  public DirectMemoryLimit(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 0)");
    }
    this.limitBytes = limitBytes;
  }

  /** The limit that all pools of this JVM share, {@code -Dcistern.maxDirectMemory} bytes. */
  public static DirectMemoryLimit shared() {
    return Shared.INSTANCE;
  }

  /**
   * Reserves {@code bytes}.
   *
   * @throws OutOfMemoryError if that would pass the limit
   */
  public void reserve(long bytes) {
    long used;
    do {
      used = usedBytes.get();
      if (bytes > limitBytes - used) {
        throw refusal("cannot reserve ", bytes);
      }
    } while (!usedBytes.compareAndSet(used, used + bytes));
  }

  /** Returns an error that names the request, the limit, and the settings that change it. */
  OutOfMemoryError refusal(String refused, long bytes) {
    return new OutOfMemoryError(
        refused
            + bytes
            + " byte(s) of direct memory (used: "
            + usedBytes.get()
            + ", limit: "
            + limitBytes
            + "; raise -D"
            + PROPERTY
            + " or -XX:MaxDirectMemorySize)");
  }

  /** Takes back a reservation of {@code bytes}. */
  public void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /** Bytes reserved now. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** The limit in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Returns the limit of this process: our property, the JVM's option, or the heap size. */
  static long ofProcess() {
    Long option = jvmOption();
    // Zero means "not set" to HotSpot, which then takes the maximum heap size, and so do we.
    long byDefault = option != null && option > 0 ? option : Runtime.getRuntime().maxMemory();
    return Settings.number(KEY, byDefault, 0L, Long.MAX_VALUE);
  }

  private static @Nullable Long jvmOption() {
    Long found = null;
    try {
      for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
        if (argument.startsWith(JVM_OPTION)) {
          found = parse(argument.substring(JVM_OPTION.length()));
        }
      }
    } catch (LinkageError | SecurityException noManagementModule) {
      return null;
    }
    return found;
  }

  /** Reads a size as HotSpot writes it: digits and an optional k, m, g or t. */
  static @Nullable Long parse(String text) {
    String digits = text.trim().toLowerCase(Locale.ROOT);
    if (digits.isEmpty()) {
      return null;
    }
    int shift = 10 * (1 + "kmgt".indexOf(digits.charAt(digits.length() - 1)));
    if (shift > 0) {
      digits = digits.substring(0, digits.length() - 1);
    }
    try {
      return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
    } catch (ArithmeticException | NumberFormatException malformed) {
      return null;
    }
  }
}
