/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.DeepStack;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stack overflow at every depth of a release or an allocation: runs {@link StackEnd}, {@link
 * StackEndOfChange} and {@link StackEndOfQuarantine}.
 */
class StackEndTest {
  private static final int DEPTHS = TestLength.choose(28, 28, 340);
  private static final int EVERY = 31;
  private static final int ONE_CASE_IN = TestLength.choose(8, 8, 2);

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
  void aStackThatEndsInThePoolLosesNothing(String compilation)
      throws IOException, InterruptedException {
    String output =
        OwnJvm.of(StackEnd.class)
            .with(DeepStack.class)
            .with(compilation, "-XX:+UseSerialGC", "-XX:CompileCommand=quiet")
            .with("-XX:CompileCommand=exclude,dev.cistern.testing.DeepStack::run")
            .run("0", String.valueOf(DEPTHS), String.valueOf(EVERY), String.valueOf(ONE_CASE_IN));
    System.out.println(output);
  }

  /** The worst case: a compiled check needs least stack, an interpreted slow path needs most. */
  @Test
  void aCompiledCheckIsEnoughForAnInterpretedSlowPath() throws IOException, InterruptedException {
    String output =
        OwnJvm.of(StackEnd.class)
            .with(DeepStack.class)
            .with("-XX:-TieredCompilation", "-XX:+UseSerialGC", "-XX:CompileCommand=quiet")
            .with("-XX:CompileCommand=compileonly,dev.cistern.pool.StackRoom::*")
            .run(
                "1000000",
                String.valueOf(DEPTHS),
                String.valueOf(EVERY),
                String.valueOf(ONE_CASE_IN));
    System.out.println(output);
  }

  /** Compiled code that calls nothing does not check the stack: the last steps need most of it. */
  @Test
  void aGroupIsInOneSetAndCountedOnceForEachEndOfTheStack()
      throws IOException, InterruptedException {
    String compile = "-XX:CompileCommand=compileonly,dev.cistern.pool.";
    String output =
        OwnJvm.of(StackEndOfChange.class)
            .with(DeepStack.class)
            .with("-Xcomp", "-XX:-TieredCompilation", "-XX:+UseSerialGC")
            .with("-XX:CompileCommand=quiet")
            .with(compile + "GroupSet::get", compile + "GroupSet::remove")
            .with(compile + "SlotGroup::freeWhenNotCurrent", compile + "SlotGroup::releaseListed")
            .run();
    System.out.println(output);
  }

  @Test
  void aSlotThatCannotBeAddedToTheQuarantineIsReleased() throws IOException, InterruptedException {
    String output =
        OwnJvm.of(StackEndOfQuarantine.class)
            .with(DeepStack.class)
            .with("-Xint", "-XX:+UseSerialGC")
            .run();
    System.out.println(output);
  }
}
