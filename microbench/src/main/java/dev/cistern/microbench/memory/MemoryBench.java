/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.microbench.Environment;
import dev.cistern.microbench.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures the memory of each allocator in each scenario: {@code <module directory> [--publish]
 * [--quick] [--bursts N] [word]}. Prints tables and writes them to files.
 */
public final class MemoryBench {
  private static final long SEED = 20_261_121;
  private static final long GIB = 1L << 30;

  /** The memory limit of all children together. */
  private static final long MAX_BYTES = 11 * GIB / 2;

  private static final long LARGE_CHILD_BYTES = 7 * GIB / 4;
  private static final long CHILD_BYTES = 5 * GIB / 4;

  private final int idleSeconds;
  private final List<Child> children = new ArrayList<>();

  private MemoryBench(int idleSeconds) {
    this.idleSeconds = idleSeconds;
  }

  /** Runs the scenarios. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path module = Path.of(arguments[0]);
    List<String> rest = new ArrayList<>(Arrays.asList(arguments).subList(1, arguments.length));
    boolean publish = rest.remove("--publish");
    boolean quick = rest.remove("--quick");
    if (publish && (quick || !rest.isEmpty())) {
      refuse("--publish runs all scenarios in the long form: no word and no --quick");
    }
    int bursts = bursts(rest);
    String word = rest.isEmpty() ? "" : rest.get(0);
    List<Scenario> scenarios = matching(word);
    boolean hasHttpBursts = HttpBursts.WORD.contains(word);
    if ((scenarios.isEmpty() && !hasHttpBursts) || rest.size() > 1) {
      refuse("no scenario " + rest + " (expected: a part of " + words() + ")");
    }
    ResultFiles files = files(module, publish);
    System.out.println("seed " + SEED);
    List<Outcome> outcomes = new MemoryBench(quick ? 20 : 60).run(scenarios);
    List<BurstOutcome> ofBursts = hasHttpBursts ? new HttpBursts(bursts).run() : List.of();
    Map<String, String> facts = facts(quick);
    String tables =
        new MemoryTable(outcomes).text() + (hasHttpBursts ? HttpBursts.text(ofBursts) : "");
    String report = report(files.title(), facts, tables);
    System.out.println(report);
    files.write(report, MemoryJson.of(facts, outcomes, ofBursts));
    System.out.println("written to " + files.table() + " and " + files.values());
  }

  /** Removes the option from the list and returns its value. */
  private static int bursts(List<String> options) {
    int at = options.indexOf("--bursts");
    if (at < 0) {
      return 3;
    }
    options.remove(at);
    String value = at < options.size() ? options.remove(at) : "";
    if (!value.matches("[1-9]\\d?")) {
      refuse("--bursts: " + value + " (expected: 1 to 99)");
    }
    return Integer.parseInt(value);
  }

  private static void refuse(@Nullable String reason) {
    System.err.println("cistern bench memory: " + reason);
    System.exit(2);
  }

  private static ResultFiles files(Path module, boolean publish) {
    if (publish) {
      try {
        return ResultFiles.published(module, "memory", Environment.changedFiles());
      } catch (IllegalArgumentException refused) {
        refuse(refused.getMessage());
      }
    }
    return ResultFiles.ofRun(module, "memory");
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
    words.add(HttpBursts.WORD);
    return String.join(", ", words);
  }

  private record Pair(Scenario scenario, SubjectKind kind) {
    long bytes() {
      return scenario.isLarge() ? LARGE_CHILD_BYTES : CHILD_BYTES;
    }
  }

  /**
   * Runs all children. One child works at a time; earlier ones may still idle if all fit into
   * memory.
   */
  private List<Outcome> run(List<Scenario> scenarios) throws InterruptedException, IOException {
    List<Pair> waiting = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      for (SubjectKind kind : SubjectKind.values()) {
        waiting.add(new Pair(scenario, kind));
      }
    }
    // Children that need most memory run first, because small ones fit beside idle ones. Children
    // that pause between bursts run last, so that no other child works at the same time.
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
      if (taken + pair.bytes() <= MAX_BYTES) {
        i.remove();
        return pair;
      }
    }
    return null;
  }

  private static Map<String, String> facts(boolean quick) throws IOException {
    Map<String, String> facts = Environment.facts();
    facts.put(
        "JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put("form", (quick ? "short" : "long") + ", one round, seed " + SEED);
    facts.put("JVM arguments of all", "`" + String.join(" ", Child.JVM_ARGUMENTS) + "`");
    for (SubjectKind kind : SubjectKind.values()) {
      if (!kind.jvmArguments().isEmpty()) {
        facts.put(kind.title(), "`" + String.join(" ", kind.jvmArguments()) + "`");
      }
    }
    facts.put(HttpBursts.WORD, "`" + String.join(" ", BurstSubject.JVM_ARGUMENTS) + "`");
    return facts;
  }

  private static String report(String title, Map<String, String> facts, String tables) {
    return String.format(
        Locale.ROOT,
        """
        # %s

        MiB. Each scenario ran with each allocator in a separate JVM. `docs/internals/memory.md` explains the columns and the method.

        %s%s""",
        title,
        Environment.table(facts),
        tables);
  }
}
