/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A web configuration file, read again when it or a file that it names has changed. A version that
 * cannot be used is logged and counted, and the last good one stays.
 */
final class WebConfigFile {
  private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;

  /** Held by who looks for changes; others go on with what there is. */
  private final ReentrantLock looking = new ReentrantLock();

  private final LongAdder failures = new LongAdder();

  /** Written by the holder of the lock, read by every request and handshake. */
  private volatile LoadedConfig loaded;

  /** When somebody looked last. Written by the holder of the lock. */
  private volatile long lookedNanos;

  /** The files that were last read, well or not. Guarded by the lock, as is the next. */
  private List<Path> watched;

  /** State of the files before they were read; a difference shows that they have changed. */
  private String stamp;

  /**
   * Reads it.
   *
   * @param log takes one line for each version that cannot be used
   * @throws WebConfigException if it cannot be used
   */
  WebConfigFile(Path file, Consumer<String> log, LongSupplier nanoTime) throws WebConfigException {
    this.file = file;
    this.log = log;
    this.nanoTime = nanoTime;
    this.watched = LoadedConfig.files(file, WebConfigReader.read(file));
    this.stamp = LoadedConfig.stamp(watched);
    this.loaded = LoadedConfig.read(file);
    this.lookedNanos = nanoTime.getAsLong();
  }

  /** The version in force; looks for a newer one at most once a second. */
  LoadedConfig current() {
    if (nanoTime.getAsLong() - lookedNanos >= CHECK_INTERVAL_NANOS && looking.tryLock()) {
      try {
        look();
      } finally {
        lookedNanos = nanoTime.getAsLong();
        looking.unlock();
      }
    }
    return loaded;
  }

  private void look() {
    String now = LoadedConfig.stamp(watched);
    if (now.equals(stamp)) {
      return;
    }
    stamp = now;
    try {
      // Also the files of a version that fails: it may be they that come late.
      watched = LoadedConfig.files(file, WebConfigReader.read(file));
      stamp = LoadedConfig.stamp(watched);
      LoadedConfig read = LoadedConfig.read(file);
      if ((read.tls() == null) != (loaded.tls() == null)) {
        throw new WebConfigException(
            file + ": tls_server_config came or went; allowed: the same until a restart");
      }
      if (loaded.config().needsLogin() && !read.config().needsLogin()) {
        throw new WebConfigException(
            file
                + ": no basic_auth_users and no client_auth_type = 'RequireAndVerifyClientCert' is"
                + " left; allowed: one of them until a restart");
      }
      loaded = read;
    } catch (IOException | RuntimeException | LinkageError e) {
      if (Thread.interrupted()) {
        // Some hosts interrupt every thread, which ends its reads; the next request reads again.
        stamp = "";
        return;
      }
      failures.increment();
      log.accept("web configuration: " + reason(e) + "; the one before stays in force");
    }
  }

  /** Only our own messages are known to quote nothing of the files. */
  private static String reason(Throwable failure) {
    return failure instanceof WebConfigException
        ? String.valueOf(failure.getMessage())
        : failure.getClass().getName();
  }

  /** How many versions could not be used. */
  long failures() {
    return failures.sum();
  }
}
