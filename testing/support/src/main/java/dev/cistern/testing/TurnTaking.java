/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Lets a test class with the tag {@code alone} run while no other test class of this checkout runs,
 * in any JVM of any module. Other classes run at the same time as each other.
 *
 * <p>A class holds a file lock while it runs: exclusive if it is alone, otherwise shared. It
 * acquires that lock while it holds the lock of a gate, so that a class that waits to be alone runs
 * before later ones.
 */
public final class TurnTaking implements TestExecutionListener {
  private static final TestTag ALONE = TestTag.create("alone");
  private static final String TURNS = "test-turns.lock";

  /** The file whose lock a class holds while it waits for its turn. */
  static final String GATE = "test-gate.lock";

  private final Path directory;
  private @Nullable String holder;
  private @Nullable FileChannel channel;

  /** Uses locks that all test JVMs of this checkout share. JUnit calls it. */
  public TurnTaking() {
    this(Repository.path("target"));
  }

  /** Uses locks in this directory. */
  TurnTaking(Path directory) {
    this.directory = directory;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    boolean isClass = test.getSource().filter(ClassSource.class::isInstance).isPresent();
    if (!isClass || holder != null) {
      return;
    }
    boolean isAlone = test.getTags().contains(ALONE);
    try {
      Files.createDirectories(directory);
      FileChannel turns = open(TURNS);
      try (FileChannel gate = open(GATE);
          FileLock held = gate.lock()) {
        turns.lock(0, Long.MAX_VALUE, !isAlone);
        assert held.isValid();
      }
      channel = turns;
      holder = test.getUniqueId();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FileChannel open(String name) throws IOException {
    return FileChannel.open(
        directory.resolve(name),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    FileChannel turns = channel;
    if (turns == null || !test.getUniqueId().equals(holder)) {
      return;
    }
    holder = null;
    channel = null;
    try {
      turns.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
