/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.microbench.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How much memory each allocator takes in each scenario: {@code <results directory> [--quick]
 * [word]}. Prints tables; a run of all scenarios also writes them to a file.
 */
public final class MemoryBench {
  private static final long SEED = 20_261_121;
  private static final long GIB = 1L << 30;

  /** Never more than this for all children together. */
  private static final long MOST_BYTES = 11 * GIB / 2;

  private static final long LARGE_CHILD_BYTES = 7 * GIB / 4;
  private static final long CHILD_BYTES = 5 * GIB / 4;

  private final int idleSeconds;
  private final List<Child> children = new ArrayList<>();

  private MemoryBench(int idleSeconds) {
    this.idleSeconds = idleSeconds;
  }

  /** Runs. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    List<String> rest = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
    boolean quick = rest.remove("--quick");
    String word = rest.isEmpty() ? "" : rest.get(0);
    List<Scenario> scenarios = matching(word);
    if (scenarios.isEmpty() || rest.size() > 1) {
      System.err.println("cistern bench memory: no scenario " + rest + ", there are: " + words());
      System.exit(2);
    }
    System.out.println("seed " + SEED);
    List<Outcome> outcomes = new MemoryBench(quick ? 20 : 60).run(scenarios);
    String report = report(quick, new MemoryTable(outcomes).text());
    System.out.println(report);
    if (word.isEmpty()) {
      LocalDate today = LocalDate.now(ZoneOffset.UTC);
      Path file = directory.resolve(ResultFiles.freeStem(directory, today, "memory") + ".md");
      Files.createDirectories(directory);
      Files.writeString(file, report);
      System.out.println("written to " + file);
    }
  }

  private static List<Scenario> matching(String word) {
    List<Scenario> matching = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      if (scenario.word().contains(word)) {
        matching.add(scenario);
      }
    }
    return matching;
  }

  private static String words() {
    List<String> words = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      words.add(scenario.word());
    }
    return String.join(", ", words);
  }

  private record Pair(Scenario scenario, SubjectKind kind) {
    long bytes() {
      return scenario.isLarge() ? LARGE_CHILD_BYTES : CHILD_BYTES;
    }
  }

  /** One child works at a time; those before it may still idle, as long as all fit. */
  private List<Outcome> run(List<Scenario> scenarios) throws InterruptedException, IOException {
    List<Pair> waiting = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      for (SubjectKind kind : SubjectKind.values()) {
        waiting.add(new Pair(scenario, kind));
      }
    }
    // Those that need most first: small ones fit beside what they leave behind. Those that sleep
    // and
    // work again come last, so that nobody else works beside them.
    waiting.sort(
        Comparator.comparing((Pair pair) -> pair.scenario.pauses())
            .thenComparing(Pair::bytes, Comparator.reverseOrder()));
    while (!waiting.isEmpty()) {
      Pair next = takeFitting(waiting);
      if (next == null) {
        TimeUnit.MILLISECONDS.sleep(50);
        continue;
      }
      System.out.println(next.scenario.word() + " " + next.kind.word());
      Child child = new Child(next.scenario, next.kind, SEED, idleSeconds);
      children.add(child);
      child.awaitIdle();
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Child child : children) {
      outcomes.add(child.await());
    }
    outcomes.sort((a, b) -> a.kind.compareTo(b.kind));
    return Collections.unmodifiableList(outcomes);
  }

  private @Nullable Pair takeFitting(List<Pair> waiting) {
    long taken = 0;
    for (Child child : children) {
      taken += child.residentBytes();
    }
    for (Iterator<Pair> i = waiting.iterator(); i.hasNext(); ) {
      Pair pair = i.next();
      if (taken + pair.bytes() <= MOST_BYTES) {
        i.remove();
        return pair;
      }
    }
    return null;
  }

  private static String report(boolean quick, String tables) throws IOException {
    return String.format(
        Locale.ROOT,
        """
        # Memory of %s

        MiB. Each scenario with each allocator in a JVM of its own, %s form, seed %d. What the columns mean, and how
        they are measured, is in `docs/memory.md`.

        | | |
        |---|---|
        %s| JVM arguments of all | `%s` |
        %s
        %s""",
        LocalDate.now(ZoneOffset.UTC),
        quick ? "short" : "long",
        SEED,
        Machine.rows(),
        String.join(" ", Child.JVM_ARGUMENTS),
        settings(),
        tables);
  }

  private static String settings() {
    StringBuilder rows = new StringBuilder();
    for (SubjectKind kind : SubjectKind.values()) {
      if (!kind.jvmArguments().isEmpty()) {
        rows.append(String.format("| %s | `%s` |\n", kind.title(), kind.jvmArguments()));
      }
    }
    return rows.toString();
  }
}
