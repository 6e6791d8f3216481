/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The findings of one run so far. Not thread-safe. */
public final class RunResult {
  /** The kind of a run without findings. */
  public static final String NONE = "none";

  private static final int POLLS_TO_HOLD = 2;

  private final Scenario scenario;
  private final Set<String> highKinds = new TreeSet<>();
  private final Map<String, Alarm> alarms = new LinkedHashMap<>();
  private Finding first = new Finding(NONE, "", "");
  private int streak;
  private double streakSecond = Double.NaN;
  private double highSecond = Double.NaN;
  private double lastSecond;
  private String failure = "";

  /** Creates the result of a run that begins. */
  public RunResult(Scenario scenario) {
    this.scenario = scenario;
  }

  /**
   * A finding in a healthy process.
   *
   * @param second its first time
   * @param polls number of polls that had it
   */
  public record Alarm(double second, int polls, Finding finding) {}

  /**
   * Adds the findings of one poll.
   *
   * @param second time from the begin of the fault; negative before it
   */
  public void add(double second, List<Finding> findings) {
    lastSecond = second;
    for (Finding finding : findings) {
      if (finding.isHigh()) {
        highKinds.add(finding.kind());
      }
      if (!finding.isHarmless()) {
        alarms.merge(
            finding.kind() + " " + finding.confidence(),
            new Alarm(second, 1, finding),
            (old, same) -> new Alarm(old.second, old.polls + 1, old.finding));
      }
    }
    first = findings.isEmpty() ? new Finding(NONE, "", "") : findings.get(0);
    if (second < 0 || !scenario.expected().contains(first.kind())) {
      streak = 0;
      streakSecond = Double.NaN;
      return;
    }
    if (streak++ == 0) {
      streakSecond = second;
    }
    if (first.isHigh() && Double.isNaN(highSecond)) {
      highSecond = second;
    }
  }

  /** Ends the run with a failure of the process. */
  public void fail(String cause) {
    failure = cause;
  }

  /** Returns the scenario. */
  public Scenario scenario() {
    return scenario;
  }

  /** Returns whether the first finding is right now, and was in the poll before. */
  public boolean isRight() {
    return streak >= POLLS_TO_HOLD && failure.isEmpty();
  }

  /** Returns whether the first finding has been right since a time before the deadline. */
  public boolean isInTime() {
    return isRight() && streakSecond <= scenario.deadlineSeconds();
  }

  /** Returns whether the right finding has high confidence. */
  public boolean isHigh() {
    return !Double.isNaN(highSecond);
  }

  /** Returns the second from which the first finding is right; NaN if it is not. */
  public double rightSecond() {
    return streakSecond;
  }

  /** Returns the second of the first poll with the right finding at high confidence, or NaN. */
  public double highSecond() {
    return highSecond;
  }

  /** Returns the second of the last poll. */
  public double lastSecond() {
    return lastSecond;
  }

  /** Returns the first finding of the last poll. */
  public Finding first() {
    return first;
  }

  /** Returns each kind that had high confidence in any poll, at any rank. */
  public Set<String> highKinds() {
    return Set.copyOf(highKinds);
  }

  /** Returns the findings that a healthy process must not have. */
  public List<Alarm> alarms() {
    return new ArrayList<>(alarms.values());
  }

  /** Returns the failure that ended the run; an empty text if there was none. */
  public String failure() {
    return failure;
  }
}
