/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Tests which sites become suspects, in simulated hours; a seed makes a run repeatable. */
class SiteHistoryTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);
  private static final double WINDOW_SECONDS = SiteTrends.WINDOW_NANOS * 1e-9;
  private static final double OLD_SECONDS = 10;
  private static final double HOUR = 3_600;
  private static final int SITES = 20;

  private SplittableRandom random = new SplittableRandom(SEED);

  /** The samples of one site: the times at which they become old and at which they are released. */
  private static final class Site {
    private final int[] arrivals;
    private final int[] departures;

    Site(double seconds) {
      arrivals = new int[(int) (seconds / WINDOW_SECONDS)];
      departures = new int[arrivals.length];
    }

    void add(double bornSeconds, double lifeSeconds) {
      if (lifeSeconds > OLD_SECONDS) {
        count(arrivals, bornSeconds + OLD_SECONDS);
        count(departures, bornSeconds + lifeSeconds);
      }
    }

    private static void count(int[] events, double seconds) {
      double window = seconds / WINDOW_SECONDS;
      if (window < events.length) {
        events[(int) window]++;
      }
    }

    /** Returns the times at which the site became a suspect, in seconds. */
    List<Double> suspicions() {
      SiteHistory history = new SiteHistory();
      List<Double> suspicions = new ArrayList<>();
      long before = 0;
      for (int window = 0; window < arrivals.length; window++) {
        for (int i = 0; i < arrivals[window]; i++) {
          history.arrived(1);
        }
        for (int i = 0; i < departures[window]; i++) {
          history.departed(1);
        }
        boolean unused = history.roll(window + 1);
        if (before == 0 && history.suspectSinceMillis() != 0) {
          suspicions.add((window + 1) * WINDOW_SECONDS);
        }
        before = history.suspectSinceMillis();
      }
      return suspicions;
    }
  }

  private double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  private ToDoubleFunction<SplittableRandom> lives(double seconds, boolean isAllTheSame) {
    return from -> isAllTheSame ? seconds : exponential(seconds);
  }

  private void steady(
      Site site, double perSecond, ToDoubleFunction<SplittableRandom> life, double endSeconds) {
    double now = random.nextDouble() * WINDOW_SECONDS;
    while ((now += exponential(1 / perSecond)) < endSeconds) {
      site.add(now, life.applyAsDouble(random));
    }
  }

  /**
   * Returns the number of suspicions of twenty such sites, in an hour each after {@code
   * warmUpSeconds}.
   */
  private int suspicions(
      double perSecond, ToDoubleFunction<SplittableRandom> life, double warmUpSeconds) {
    int suspicions = 0;
    for (int i = 0; i < SITES; i++) {
      Site site = new Site(HOUR + warmUpSeconds);
      steady(site, perSecond, life, HOUR + warmUpSeconds);
      suspicions += (int) site.suspicions().stream().filter(when -> when > warmUpSeconds).count();
    }
    return suspicions;
  }

  @Test
  void aSiteWhoseBuffersLiveForUpToTwentyFiveSecondsIsNeverASuspect() {
    for (double perSecond : new double[] {0.1, 1, 10}) {
      for (double life : new double[] {11, 15, 20, 25}) {
        assertThat(suspicions(perSecond, lives(life, true), 0))
            .as("%s samples in a second, for %s s each, seed %d", perSecond, life, SEED)
            .isZero();
      }
      assertThat(suspicions(perSecond, lives(10, false), 0)).as("seed %d", SEED).isZero();
    }
  }

  @Test
  void aSteadySiteIsNoSuspectAfterItsWarmUp() {
    int suspicions = 0;
    for (double perSecond : new double[] {0.1, 1, 10}) {
      for (double life : new double[] {20, 60, 120}) {
        suspicions += suspicions(perSecond, lives(life, true), 4 * life + 330);
        suspicions += suspicions(perSecond, lives(life, false), 4 * life + 330);
      }
    }
    System.out.println("suspicions in " + 18 * SITES + " site hours: " + suspicions);
    assertThat(suspicions).as("seed %d", SEED).isLessThanOrEqualTo(6);
  }

  /** Tests twenty samples at a time, which are released together or one by one. */
  @Test
  void batchesAreRarelySuspected() {
    int suspicions = 0;
    int cases = 0;
    double warmUp = 400;
    for (double period : new double[] {1, 7, 30}) {
      for (double life : new double[] {15, 30}) {
        for (boolean isTogether : new boolean[] {true, false}) {
          int here = 0;
          for (int i = 0; i < SITES; i++) {
            Site site = new Site(HOUR + warmUp);
            batches(site, period, life, isTogether);
            here += (int) site.suspicions().stream().filter(when -> when > warmUp).count();
          }
          System.out.printf(
              "batches every %.0f s for %.0f s, %s: %d suspicions in %d site hours%n",
              period, life, isTogether ? "together" : "each", here, SITES);
          suspicions += here;
          cases++;
        }
      }
    }
    assertThat(suspicions).as("seed %d", SEED).isLessThanOrEqualTo(cases * SITES / 5);
  }

  private void batches(Site site, double period, double life, boolean isTogether) {
    for (double now = 0; now < HOUR + 400; now += exponential(period)) {
      double together = exponential(life);
      for (int i = 0; i < 20; i++) {
        site.add(now, isTogether ? together : exponential(life));
      }
    }
  }

  @Test
  void evidenceIsNeverMoreThanTheChanceGives() {
    for (int events = 1; events <= 300; events++) {
      double chance = 0;
      double ofOne = Math.pow(0.5, events);
      for (int arrived = events; 2 * arrived > events; arrived--) {
        chance += ofOne;
        ofOne *= (double) arrived / (events - arrived + 1);
        assertThat(SiteHistory.evidence(arrived, events - arrived))
            .as("%d of %d", arrived, events)
            .isBetween(0.0, -Math.log(chance) + 1e-6);
      }
    }
  }

  @Test
  void aLeakIsSuspectedTheSoonerTheMoreSamplesItHas() {
    double[] soonest = {320, 130, 100, 65, 60};
    double[] perSecond = {0.2, 0.5, 1, 2, 10};
    for (int i = 0; i < perSecond.length; i++) {
      List<Double> found = new ArrayList<>();
      for (int leak = 0; leak < 200; leak++) {
        Site site = new Site(600);
        steady(site, perSecond[i], from -> Double.MAX_VALUE, 600);
        List<Double> suspicions = site.suspicions();
        found.add(suspicions.isEmpty() ? Double.MAX_VALUE : suspicions.get(0));
      }
      found.sort(null);
      System.out.printf(
          "leak of %.1f samples in a second: half after %.0f s, 95 %% after %.0f s, all after"
              + " %.0f s%n",
          perSecond[i], found.get(100), found.get(190), found.get(199));
      assertThat(found.get(199)).as("%s, seed %d", perSecond[i], SEED).isLessThan(soonest[i] + 1);
    }
  }
}
