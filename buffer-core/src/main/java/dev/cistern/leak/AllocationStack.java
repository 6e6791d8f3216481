/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.Arrays;
import java.util.List;

/**
 * The stack of one allocation, cut to a bounded depth.
 *
 * <p>Taking it must be cheap (a sample is taken on the allocating thread), reading it need not be
 * (a leak is rare). A throwable is just that: the virtual machine notes the frames in one go, and
 * names are looked up only by {@link #read}.
 */
final class AllocationStack {
  private final List<StackTraceElement> frames;
  private final int cutFrames;
  private final String site;

  private AllocationStack(List<StackTraceElement> frames, int cutFrames, String site) {
    this.frames = frames;
    this.cutFrames = cutFrames;
    this.site = site;
  }

  /** Notes where the caller is. */
  static Throwable capture() {
    return new Mark();
  }

  /** Looks the frames up, leaves out Cistern's own at the top, and cuts what is too deep. */
  static AllocationStack read(Throwable captured, SiteFinder siteFinder) {
    StackTraceElement[] all = captured.getStackTrace();
    int first = 0;
    while (first < all.length && SiteFinder.isOwn(all[first])) {
      first++;
    }
    StackTraceElement[] outer =
        Arrays.copyOfRange(all, first == all.length ? 0 : first, all.length);
    StackTraceElement[] kept = Arrays.copyOf(outer, Math.min(outer.length, LeakEntry.MAX_FRAMES));
    return new AllocationStack(List.of(kept), outer.length - kept.length, siteFinder.site(outer));
  }

  List<StackTraceElement> frames() {
    return frames;
  }

  int cutFrames() {
    return cutFrames;
  }

  String site() {
    return site;
  }

  /** Returns the frames as readable lines, without loader and module. */
  List<String> lines() {
    return frames.stream().map(AllocationStack::line).toList();
  }

  private static String line(StackTraceElement frame) {
    String place;
    if (frame.isNativeMethod()) {
      place = "Native Method";
    } else if (frame.getFileName() == null) {
      place = "Unknown Source";
    } else if (frame.getLineNumber() >= 0) {
      place = frame.getFileName() + ":" + frame.getLineNumber();
    } else {
      place = frame.getFileName();
    }
    return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
  }

  /** Carries a stack; never thrown. */
  private static final class Mark extends Throwable {
    private static final long serialVersionUID = 1;

    Mark() {
      super(null, null, false, true);
    }
  }
}
