/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveStack;
import java.util.Arrays;

/**
 * What is left out of a frame that would be too large, step by step: the accesses of leaks; then
 * frames of live stacks, those of the smallest first, and of leaks (their sites stay, and all
 * figures with them); then live stacks themselves; at last the names of threads and kinds of leaks.
 * The leaks stay: counters would run backwards without them.
 */
final class Reduction {
  /** Steps: none, accesses, for each {@link Kind} a quarter kept, a sixteenth, none; names. */
  static final int STEPS = 12;

  private static final int STEPS_OF_KIND = 3;
  private static final int FIRST_OF_KINDS = 2;
  private static final int KEPT_SHIFT = 2;

  /** What is left out in part, in this order. */
  private enum Kind {
    LIVE_FRAMES,
    LEAK_FRAMES,
    LIVE_STACKS
  }

  private final int step;
  private final Largest liveFrames;
  private final Largest leakFrames;
  private final Largest liveStacks;

  /** Leaves out nothing. */
  static final Reduction NONE = new Reduction();

  private Reduction() {
    step = 0;
    liveFrames = Largest.ALL;
    leakFrames = Largest.ALL;
    liveStacks = Largest.ALL;
  }

  private Reduction(int step, HostReport report) {
    this.step = step;
    liveFrames = new Largest(step, Kind.LIVE_FRAMES, report);
    leakFrames = new Largest(step, Kind.LEAK_FRAMES, report);
    liveStacks = new Largest(step, Kind.LIVE_STACKS, report);
  }

  static Reduction of(int step, HostReport report) {
    return step == 0 ? NONE : new Reduction(step, report);
  }

  boolean keepsAccesses() {
    return step == 0;
  }

  boolean keepsFrames(LiveStack stack) {
    return liveFrames.keeps(stack.live().bytes());
  }

  boolean keepsFrames(LeakEntry leak) {
    return leakFrames.keeps((double) leak.bytes());
  }

  boolean keeps(LiveStack stack) {
    return liveStacks.keeps(stack.live().bytes());
  }

  /** Whether leaks keep the names of their threads, and of their kinds. */
  boolean keepsNames() {
    return step < STEPS - 1;
  }

  /** Keeps as many as it may, of the largest. */
  private static final class Largest {
    static final Largest ALL = new Largest();

    private final boolean isAll;
    private double least;
    private int left;

    private Largest() {
      isAll = true;
    }

    Largest(int step, Kind kind, HostReport report) {
      int cut = step - FIRST_OF_KINDS - kind.ordinal() * STEPS_OF_KIND + 1;
      isAll = cut <= 0;
      if (!isAll) {
        boolean isLive = kind == Kind.LIVE_FRAMES || kind == Kind.LIVE_STACKS;
        double[] sizes = isLive ? liveBytes(report) : leakBytes(report);
        left = cut >= STEPS_OF_KIND ? 0 : sizes.length >>> (KEPT_SHIFT * cut);
        Arrays.sort(sizes);
        least = left == 0 ? Double.POSITIVE_INFINITY : sizes[sizes.length - left];
      }
    }

    boolean keeps(double size) {
      return isAll || (Double.compare(size, least) >= 0 && left-- > 0);
    }

    private static double[] liveBytes(HostReport report) {
      int count = 0;
      for (CopyReport copy : report.copies()) {
        count += copy.live().stacks().size();
      }
      double[] sizes = new double[count];
      int at = 0;
      for (CopyReport copy : report.copies()) {
        for (LiveStack stack : copy.live().stacks()) {
          sizes[at++] = stack.live().bytes();
        }
      }
      return sizes;
    }

    private static double[] leakBytes(HostReport report) {
      int count = 0;
      for (CopyReport copy : report.copies()) {
        count += copy.leaks().entries().size();
      }
      double[] sizes = new double[count];
      int at = 0;
      for (CopyReport copy : report.copies()) {
        for (LeakEntry leak : copy.leaks().entries()) {
          sizes[at++] = (double) leak.bytes();
        }
      }
      return sizes;
    }
  }
}
