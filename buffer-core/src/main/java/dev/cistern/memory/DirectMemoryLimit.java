/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.internal.Settings;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A limit of native memory, and a counter of the memory that pools and unpooled buffers have
 * allocated and not freed, whether buffers use it or not. Thread-safe.
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
   * @param limitBytes the maximum of reserved bytes, 0 or more
   * @throws IllegalArgumentException if {@code limitBytes} is negative
   */
  public DirectMemoryLimit(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 0)");
    }
    this.limitBytes = limitBytes;
  }

  /**
   * Returns the limit that all pools of this JVM share, {@code -Dcistern.maxDirectMemory} bytes.
   */
  public static DirectMemoryLimit shared() {
    return Shared.INSTANCE;
  }

  /**
   * Reserves {@code bytes}.
   *
   * @throws OutOfMemoryError if that would exceed the limit
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

  /** Releases a reservation of {@code bytes}. */
  public void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /** Returns the bytes that are reserved now. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Returns the limit in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Returns the limit of this process: Cistern's property, the JVM's option, or the heap size. */
  static long ofProcess() {
    Long option = jvmOption();
    // In HotSpot, zero means "not set", and the limit is the maximum heap size, as here.
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

  /**
   * Parses a size in the format of HotSpot: digits and an optional k, m, g or t. Returns null for
   * any other text.
   */
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
