/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestIdentifier;

/**
 * A test class, and a program that acts as JUnit for it: each line of input lets the class
 * continue.
 */
final class OneClass extends AbstractTestDescriptor {
  static final String WAITS = "waits";
  static final String STARTED = "started";
  static final String FINISHED = "finished";

  private final Set<TestTag> tags;

  private OneClass(Set<TestTag> tags) {
    super(UniqueId.root("class", "one"), "one class", ClassSource.from(OneClass.class));
    this.tags = tags;
  }

  @Override
  public Set<TestTag> getTags() {
    return tags;
  }

  @Override
  public Type getType() {
    return Type.CONTAINER;
  }

  /**
   * Runs the class. Arguments: the directory of the locks, and the tag of the class if it has one.
   */
  public static void main(String[] arguments) throws IOException {
    TurnTaking turns = new TurnTaking(Path.of(arguments[0]));
    Set<TestTag> tags = arguments.length == 1 ? Set.of() : Set.of(TestTag.create(arguments[1]));
    TestIdentifier test = TestIdentifier.from(new OneClass(tags));
    System.out.println(WAITS);
    turns.executionStarted(test);
    System.out.println(STARTED);
    awaitInput();
    turns.executionFinished(test, TestExecutionResult.successful());
    System.out.println(FINISHED);
    awaitInput();
  }

  private static void awaitInput() throws IOException {
    if (System.in.read() < 0) {
      throw new EOFException("the test has gone");
    }
  }
}
