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
 * A web configuration file, which is read again when it or a file that it names has changed. A
 * version that cannot be used is logged and counted, and the last good version stays in force.
 */
final class WebConfigFile {
  private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;

  /** Held by the thread that checks for changes; other threads use the loaded version. */
  private final ReentrantLock checkLock = new ReentrantLock();

  private final LongAdder failures = new LongAdder();

  /** Written by the holder of the lock, read by every request and handshake. */
  private volatile LoadedConfig loaded;

  /** Time of the last check for changes. Written by the holder of the lock. */
  private volatile long checkedNanos;

  /** The files of the last reading, even if it failed. Guarded by {@link #checkLock}. */
  private List<Path> watched;

  /**
   * Stamp of the files before they were read; a difference means that they have changed. Guarded by
   * {@link #checkLock}.
   */
  private String stamp;

  /**
   * Reads the file.
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
    this.checkedNanos = nanoTime.getAsLong();
  }

  /** Returns the version in force. Checks for a newer one up to once a second. */
  LoadedConfig current() {
    if (nanoTime.getAsLong() - checkedNanos >= CHECK_INTERVAL_NANOS && checkLock.tryLock()) {
      try {
        reloadIfChanged();
      } finally {
        checkedNanos = nanoTime.getAsLong();
        checkLock.unlock();
      }
    }
    return loaded;
  }

  private void reloadIfChanged() {
    String now = LoadedConfig.stamp(watched);
    if (now.equals(stamp)) {
      return;
    }
    stamp = now;
    try {
      // Watch the files of a failing version, too: one of them may be written late.
      watched = LoadedConfig.files(file, WebConfigReader.read(file));
      stamp = LoadedConfig.stamp(watched);
      LoadedConfig read = LoadedConfig.read(file);
      if ((read.tls() == null) != (loaded.tls() == null)) {
        throw new WebConfigException(
            file + ": tls_server_config was added or removed; allowed: the same until a restart");
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
        // Some hosts interrupt every thread, which ends its reads. The next request reads again.
        stamp = "";
        return;
      }
      failures.increment();
      log.accept("web configuration: " + reason(e) + "; the one before stays in force");
    }
  }

  /** Returns the reason. Only messages of Cistern are known to quote nothing of the files. */
  private static String reason(Throwable failure) {
    return failure instanceof WebConfigException
        ? String.valueOf(failure.getMessage())
        : failure.getClass().getName();
  }

  /** Returns the number of versions that could not be used. */
  long failures() {
    return failures.sum();
  }
}
