/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.interleaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs each jcstress case as a test. The system property {@code cistern.jcstress} is {@code short}
 * or a preset of jcstress; {@code cistern.jcstress.cases} is a regular expression that selects
 * cases.
 */
@Tag("full")
class InterleavingsTest {
  private static final String MODE = System.getProperty("cistern.jcstress", "short");
  private static final String CASES = System.getProperty("cistern.jcstress.cases", ".*");

  @TestFactory
  Stream<DynamicTest> everyInterleavingEndsAsTheDesignAllows() throws Exception {
    Pattern picked = Pattern.compile(CASES);
    List<String> cases =
        TestList.tests().stream().filter(name -> picked.matcher(name).find()).sorted().toList();
    assertThat(cases).as("cases that match %s", CASES).isNotEmpty();
    if (MODE.equals("short")) {
      ShortRun run = new ShortRun();
      return cases.stream().map(name -> dynamicTest(name, () -> check(name, run.run(name))));
    }
    Map<String, TestResult> results = new LongRun().run(MODE, CASES);
    return cases.stream().map(name -> dynamicTest(name, () -> check(name, results.get(name))));
  }

  private static void check(String name, TestResult result) {
    assertThat(result).as("a result of %s; jcstress gives none on a single core", name).isNotNull();
    String outcomes = result.status() + " " + outcomes(TestGrading.grade(result));
    System.out.println(name + ": " + outcomes);
    boolean ran = result.status() == Status.NORMAL && result.getTotalCount() > 0;
    if (!ran || !TestGrading.grade(result).isPassed) {
      throw new AssertionError(
          outcomes + System.lineSeparator() + result.getMessages() + result.getVmErr());
    }
  }

  private static String outcomes(TestGrading grading) {
    return grading.gradingResults.values().stream()
        .filter(outcome -> outcome.count > 0)
        .map(
            outcome ->
                String.format(
                    "%d x [%s] %s: %s",
                    outcome.count, outcome.id, outcome.expect, outcome.description))
        .collect(Collectors.joining("; "));
  }
}
