/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Changes of one reference count by two threads. A call's result is 1 for true (or for a retain
 * that worked), 0 for false, -1 for an {@link IllegalReferenceCountException}.
 */
public final class ReferenceCountCases {
  private ReferenceCountCases() {}

  /** Object that counts how often it is freed. */
  static final class Counted extends AbstractReferenceCounted {
    final AtomicInteger freed = new AtomicInteger();

    Counted(int count) {
      setRefCnt(count);
    }

    @Override
    protected void deallocate() {
      freed.incrementAndGet();
    }

    @Override
    public ReferenceCounted touch(Object hint) {
      return this;
    }

    int tryRetain() {
      try {
        retain();
        return 1;
      } catch (IllegalReferenceCountException refused) {
        return -1;
      }
    }

    int tryRelease() {
      try {
        return release() ? 1 : 0;
      } catch (IllegalReferenceCountException refused) {
        return -1;
      }
    }

    int tryRelease(int decrement) {
      try {
        return release(decrement) ? 1 : 0;
      } catch (IllegalReferenceCountException refused) {
        return -1;
      }
    }
  }

  /** One reference, released by two threads. Results, freed. */
  @JCStressTest
  @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the second is refused")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the second is refused")
  @Outcome(expect = FORBIDDEN, desc = "freed twice, or never, or the mistake goes unnoticed")
  @State
  public static class TwoReleasesOfOneReference {
    private final Counted counted = new Counted(1);

    @Actor
    public void one(III_Result result) {
      result.r1 = counted.tryRelease();
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = counted.tryRelease();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = counted.freed.get();
    }
  }

  /** Two references, each released. Results, freed. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the last one frees")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the last one frees")
  @Outcome(expect = FORBIDDEN, desc = "freed twice, or never, or a rightful release was refused")
  @State
  public static class TwoReleasesOfTwoReferences {
    private final Counted counted = new Counted(2);

    @Actor
    public void one(III_Result result) {
      result.r1 = counted.tryRelease();
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = counted.tryRelease();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = counted.freed.get();
    }
  }

  /**
   * Two references, released three times. Releases that freed, that did not, and that were refused;
   * freed.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "one frees, one is refused")
  @Outcome(expect = FORBIDDEN, desc = "freed twice, or never, or the mistake goes unnoticed")
  @State
  public static class ThreeReleasesOfTwoReferences {
    private final Counted counted = new Counted(2);
    private int first;
    private int second;
    private int third;

    @Actor
    public void twice() {
      first = counted.tryRelease();
      second = counted.tryRelease();
    }

    @Actor
    public void once() {
      third = counted.tryRelease();
    }

    private int count(int outcome) {
      return (first == outcome ? 1 : 0) + (second == outcome ? 1 : 0) + (third == outcome ? 1 : 0);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r1 = count(1);
      result.r2 = count(0);
      result.r3 = count(-1);
      result.r4 = counted.freed.get();
    }
  }

  /** The only reference is released while another is taken. Release, retain, count, freed. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "retained in time")
  @Outcome(id = "1, -1, 0, 1", expect = ACCEPTABLE, desc = "retained too late: refused")
  @Outcome(expect = FORBIDDEN, desc = "retained and freed, or neither")
  @State
  public static class RetainDuringRelease {
    private final Counted counted = new Counted(1);

    @Actor
    public void releaser(IIII_Result result) {
      result.r1 = counted.tryRelease();
    }

    @Actor
    public void retainer(IIII_Result result) {
      result.r2 = counted.tryRetain();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r3 = counted.refCnt();
      result.r4 = counted.freed.get();
    }
  }

  /** The same with two retains. Release, sum of retains, count, freed. */
  @JCStressTest
  @Outcome(id = "0, 2, 2, 0", expect = ACCEPTABLE, desc = "retained in time")
  @Outcome(id = "1, -2, 0, 1", expect = ACCEPTABLE, desc = "retained too late: both refused")
  @Outcome(expect = FORBIDDEN, desc = "retained and freed, or neither")
  @State
  public static class TwoRetainsDuringRelease {
    private final Counted counted = new Counted(1);

    @Actor
    public void releaser(IIII_Result result) {
      result.r1 = counted.tryRelease();
    }

    @Actor
    public void retainer(IIII_Result result) {
      result.r2 = counted.tryRetain() + counted.tryRetain();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r3 = counted.refCnt();
      result.r4 = counted.freed.get();
    }
  }

  /** One reference, retained once and released twice. Retain, freeing, refused, freed. */
  @JCStressTest
  @Outcome(id = "1, 1, 0, 1", expect = ACCEPTABLE, desc = "retained in time: both rightful")
  @Outcome(id = "-1, 1, 1, 1", expect = ACCEPTABLE, desc = "retained too late: refused")
  @Outcome(expect = FORBIDDEN, desc = "freed twice, or never, or the mistake goes unnoticed")
  @State
  public static class RetainDuringTwoReleases {
    private final Counted counted = new Counted(1);
    private int first;
    private int second;

    @Actor
    public void releaser() {
      first = counted.tryRelease();
      second = counted.tryRelease();
    }

    @Actor
    public void retainer(IIII_Result result) {
      result.r1 = counted.tryRetain();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r2 = (first == 1 ? 1 : 0) + (second == 1 ? 1 : 0);
      result.r3 = (first == -1 ? 1 : 0) + (second == -1 ? 1 : 0);
      result.r4 = counted.freed.get();
    }
  }

  /**
   * Two references are released, one of them by a thread that then retains the object again. Its
   * release, its retain, the other's release, freed.
   */
  @JCStressTest
  @Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "got it back in time")
  @Outcome(id = "0, -1, 1, 1", expect = ACCEPTABLE, desc = "the other freed it before")
  @Outcome(id = "1, -1, 0, 1", expect = ACCEPTABLE, desc = "it freed it itself")
  @Outcome(expect = FORBIDDEN, desc = "retained and freed, or neither")
  @State
  public static class RetainDuringLastSharedRelease {
    private final Counted counted = new Counted(2);

    @Actor
    public void releasesAndRetains(IIII_Result result) {
      result.r1 = counted.tryRelease();
      result.r2 = counted.tryRetain();
    }

    @Actor
    public void releases(IIII_Result result) {
      result.r3 = counted.tryRelease();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r4 = counted.freed.get();
    }
  }

  /** One call releases both references during a retain. Release, retain, count, freed. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "retained in time")
  @Outcome(id = "1, -1, 0, 1", expect = ACCEPTABLE, desc = "retained too late: refused")
  @Outcome(expect = FORBIDDEN, desc = "retained and freed, or neither")
  @State
  public static class RetainDuringReleaseOfTwo {
    private final Counted counted = new Counted(2);

    @Actor
    public void releaser(IIII_Result result) {
      result.r1 = counted.tryRelease(2);
    }

    @Actor
    public void retainer(IIII_Result result) {
      result.r2 = counted.tryRetain();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r3 = counted.refCnt();
      result.r4 = counted.freed.get();
    }
  }

  /** One call releases both references while another call releases one. Results, freed. */
  @JCStressTest
  @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the release of one is refused")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "the release of two is refused as a whole")
  @Outcome(expect = FORBIDDEN, desc = "the mistake goes unnoticed")
  @State
  public static class ReleaseDuringReleaseOfTwo {
    private final Counted counted = new Counted(2);

    @Actor
    public void ofTwo(III_Result result) {
      result.r1 = counted.tryRelease(2);
    }

    @Actor
    public void ofOne(III_Result result) {
      result.r2 = counted.tryRelease();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = counted.freed.get();
    }
  }
}
