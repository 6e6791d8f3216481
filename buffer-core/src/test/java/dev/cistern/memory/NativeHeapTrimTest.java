/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.memory.NativeHeapTrim.State;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the C library is asked to return memory, and what happens where it cannot be. */
class NativeHeapTrimTest {
  private static final long MIB = 1 << 20;
  private static final long THRESHOLD = 32 * MIB;
  private static final long TRIM_NANOS = 3_000_000;
  private static final long MOST_SECONDS = 60;

  private long now = -5; // a clock may begin anywhere, below zero too
  private int opened;
  private int asked;
  private NativeHeapTrim.Command answer = () -> true;
  private final NativeHeapTrim trim = new NativeHeapTrim(this::open, () -> now);

  @TempDir Path directory;

  private NativeHeapTrim.Command open() {
    opened++;
    return () -> {
      asked++;
      now += TRIM_NANOS;
      return answer.trim();
    };
  }

  private void giveBack(long bytes) {
    trim.givenBack(bytes);
    trim.trimIfDue(THRESHOLD);
  }

  private State state() {
    return trim.figures().state();
  }

  @Test
  void nothingIsOpenedBeforeTheThreshold() {
    for (int i = 0; i < 31; i++) {
      giveBack(MIB);
    }
    assertThat(opened).isZero();
    assertThat(state()).isEqualTo(State.UNTRIED);
    giveBack(MIB);
    assertThat(opened).isOne();
    assertThat(asked).isOne();
    assertThat(state()).isEqualTo(State.AVAILABLE);
  }

  @Test
  void eachTrimBeginsTheCountAnew() {
    giveBack(100 * MIB);
    now += NativeHeapTrim.PAUSE_NANOS;
    giveBack(THRESHOLD - 1);
    assertThat(asked).isOne();
    giveBack(1);
    assertThat(asked).isEqualTo(2);
    assertThat(opened).isOne();
  }

  @Test
  void betweenTwoRoundsIsAPause() {
    giveBack(THRESHOLD);
    now += NativeHeapTrim.ROUND_NANOS;
    giveBack(THRESHOLD);
    now += NativeHeapTrim.PAUSE_NANOS - NativeHeapTrim.ROUND_NANOS - 1;
    giveBack(THRESHOLD);
    assertThat(asked).isOne();
    now++;
    trim.trimIfDue(THRESHOLD);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aRoundHasAsManyTrimsAsItGivesBackPortions() {
    for (int portion = 0; portion < 100; portion++) {
      now += NativeHeapTrim.ROUND_NANOS - 1;
      giveBack(THRESHOLD);
    }
    assertThat(asked).isEqualTo(100);
  }

  @Test
  void figuresTellHowLongItTook() {
    giveBack(THRESHOLD);
    now += NativeHeapTrim.PAUSE_NANOS;
    answer =
        () -> {
          now += TRIM_NANOS;
          return true;
        };
    giveBack(THRESHOLD);
    now += NativeHeapTrim.PAUSE_NANOS;
    answer = () -> true;
    giveBack(THRESHOLD);
    assertThat(trim.figures())
        .isEqualTo(
            new NativeHeapTrim.Figures(
                State.AVAILABLE, 3, TRIM_NANOS, 2 * TRIM_NANOS, 4 * TRIM_NANOS, 0));
  }

  @Test
  void whereItIsMissingItIsAskedForOnce() {
    answer = () -> false;
    for (int i = 0; i < 5; i++) {
      giveBack(THRESHOLD);
      now += NativeHeapTrim.PAUSE_NANOS;
    }
    assertThat(asked).isOne();
    assertThat(trim.figures()).isEqualTo(new NativeHeapTrim.Figures(State.MISSING, 0, 0, 0, 0, 0));
  }

  @Test
  void failuresInARowEndItAndAreNotThrown() {
    answer =
        () -> {
          if (asked % 2 == 0) {
            throw new IllegalStateException("no");
          }
          throw new OutOfMemoryError("none");
        };
    for (int i = 1; i <= NativeHeapTrim.MOST_FAILURES + 2; i++) {
      giveBack(THRESHOLD);
      now += NativeHeapTrim.PAUSE_NANOS;
      assertThat(state())
          .isEqualTo(i < NativeHeapTrim.MOST_FAILURES ? State.AVAILABLE : State.FAILED);
    }
    assertThat(asked).isEqualTo(NativeHeapTrim.MOST_FAILURES);
    assertThat(trim.figures().failures()).isEqualTo(NativeHeapTrim.MOST_FAILURES);
    assertThat(trim.figures().trims()).isZero();
  }

  @Test
  void oneThatSucceedsForgivesThoseThatFailed() {
    for (int i = 0; i < 4 * NativeHeapTrim.MOST_FAILURES; i++) {
      boolean fails = i % NativeHeapTrim.MOST_FAILURES != 0;
      answer =
          () -> {
            if (fails) {
              throw new IllegalStateException("no");
            }
            return true;
          };
      giveBack(THRESHOLD);
      now += NativeHeapTrim.PAUSE_NANOS;
    }
    assertThat(state()).isEqualTo(State.AVAILABLE);
    assertThat(trim.figures().trims()).isEqualTo(4);
    assertThat(trim.figures().failures()).isEqualTo(8);
  }

  @Test
  void aCommandThatCannotBeMadeIsAFailure() {
    NativeHeapTrim broken =
        new NativeHeapTrim(
            () -> {
              throw new NoClassDefFoundError("gone");
            },
            () -> now);
    broken.givenBack(THRESHOLD);
    broken.trimIfDue(THRESHOLD);
    assertThat(broken.figures().failures()).isOne();
  }

  @Test
  void aSecondThreadDoesNotWaitForTheFirst() {
    answer =
        () -> {
          trim.givenBack(THRESHOLD);
          Thread second = new Thread(() -> trim.trimIfDue(THRESHOLD));
          second.start();
          try {
            second.join(TimeUnit.SECONDS.toMillis(MOST_SECONDS));
          } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
          }
          assertThat(second.isAlive()).isFalse();
          return true;
        };
    giveBack(THRESHOLD);
    assertThat(asked).isOne();
    assertThat(state()).isEqualTo(State.AVAILABLE);
  }

  @Test
  void theResidentSetFallsInAJvmThatCan() throws IOException, InterruptedException {
    String said = run(List.of("-Xmx128m"));
    assumeTrue(said.contains("state=AVAILABLE"), "no trim in this JVM: " + said);
    long keptKib = number(said, "kept");
    assumeTrue(keptKib > 100 << 10, "this C library returns by itself: " + said);
    assertThat(number(said, "trimmed")).as(said).isLessThan(keptKib - (100 << 10));
    assertThat(said).contains("trims=1, ").contains("failures=0");
  }

  @Test
  void aJvmWithoutManagementGoesWithout() throws IOException, InterruptedException {
    assertThat(run(List.of("-Xmx128m", "--limit-modules=java.base,jdk.unsupported")))
        .contains("state=MISSING, trims=0, ")
        .contains("failures=0");
  }

  private String run(List<String> options) throws IOException, InterruptedException {
    String classes =
        Path.of(NativeHeapTrim.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            + File.pathSeparator
            + Path.of(
                NativeHeapUse.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path output = directory.resolve("output.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classes, NativeHeapUse.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(output);
    System.out.println(said);
    assertThat(ended).as("ended in time; it said %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /** The number after a word. */
  private static long number(String said, String word) {
    for (String line : said.split("\n", -1)) {
      if (line.startsWith(word + " ")) {
        return Long.parseLong(line.substring(word.length() + 1).trim());
      }
    }
    throw new AssertionError("no " + word + " in " + said);
  }
}
