/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.StackDetail;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of samples, with one object for equal stacks and for equal frames. Guarded by its
 * lock. A lookup costs about 0.15 microseconds for each frame. The JVM uses nearly all of this time
 * to find the names of the frames.
 *
 * <p>Beyond {@link #MAX_STACKS}, the table drops unused stacks; if all are in use, it refuses a new
 * stack. Beyond {@link #MAX_FRAMES} different frames, it cuts outer frames that are new.
 */
final class StackTable {
  /** Limit of the stacks of live samples and leaks; those of leaks are up to half of it. */
  static final int MAX_WATCHED_STACKS = 1_536;

  /** Limit of all stacks. The allocation profile never releases its own. */
  static final int MAX_STACKS = MAX_WATCHED_STACKS + AllocationProfile.MAX_STACKS;

  static final int MAX_FRAMES = 12_288;

  // Estimated size of a throwable before the lookup of its stack.
  private static final int BYTES_PER_FRAME = 20;
  private static final int BYTES_PER_THROWABLE = 300;

  /** A stack of the table, compared by identity. */
  static final class Stack {
    private final Key key;
    private final StackTraceElement[] frames;
    private final int folded;
    private final int cut;
    private final String site;

    /** Number of users. Guarded by the table's lock. */
    private int users;

    /** Number of users that may never release the stack. Guarded by the table's lock. */
    private int keepers;

    private Stack(Key key, int folded, int cut) {
      this.key = key;
      this.frames = key.frames;
      this.folded = folded;
      this.cut = cut;
      this.site = key.site;
    }

    String site() {
      return site;
    }

    /** Returns a key that is equal for equal stacks, also after the table dropped one of them. */
    Object key() {
      return key;
    }

    CallStack show(StackDetail detail) {
      if (detail == StackDetail.SITE) {
        return new CallStack(site, List.of(), 0, 0);
      }
      return new CallStack(site, Arrays.stream(frames).map(StackTable::line).toList(), folded, cut);
    }
  }

  /** A key of frames, which are compared one by one, and of the site, which can be a cut frame. */
  private static final class Key {
    private final int hash;
    private final StackTraceElement[] frames;
    private final String site;

    Key(StackTraceElement[] frames, String site) {
      this.hash = 31 * Arrays.hashCode(frames) + site.hashCode();
      this.frames = frames;
      this.site = site;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && hash == key.hash
          && site.equals(key.site)
          && Arrays.equals(frames, key.frames);
    }
  }

  private final SiteFinder siteFinder;
  private final Predicate<StackTraceElement> noise;
  private final int maxStacks;
  private final int maxKept;
  private final int maxFrames;

  private final Map<Key, Stack> stacks = new HashMap<>();
  private final Map<StackTraceElement, StackTraceElement> frames = new HashMap<>();

  /** Number of stacks with keepers. Guarded by this object's lock. */
  private int keptStacks;

  /**
   * Number of dropped stacks whose frames can still be in the table. Guarded by this object's lock.
   */
  private int droppedStacks;

  /** Number of frames of the deepest recent stack, before any are excluded. */
  private volatile int deepest = CallStack.MAX_FRAMES / 2;

  /**
   * @param noise matches frames that are excluded
   */
  StackTable(SiteFinder siteFinder, Predicate<StackTraceElement> noise) {
    this(siteFinder, noise, MAX_STACKS, MAX_WATCHED_STACKS / 2, MAX_FRAMES);
  }

  /**
   * @param maxKept limit of stacks with frames and keepers
   */
  StackTable(
      SiteFinder siteFinder,
      Predicate<StackTraceElement> noise,
      int maxStacks,
      int maxKept,
      int maxFrames) {
    this.siteFinder = siteFinder;
    this.noise = noise;
    this.maxStacks = maxStacks;
    this.maxKept = maxKept;
    this.maxFrames = maxFrames;
  }

  /**
   * Returns the stack of a captured throwable for one user, which must call {@link #release}; null
   * if the table is full.
   */
  @Nullable Stack intern(Throwable captured) {
    StackTraceElement[] all = captured.getStackTrace();
    noteDepth(all.length);
    StackTraceElement[] outer =
        Arrays.stream(all, firstForeign(all), all.length)
            .filter(noise.negate())
            .toArray(StackTraceElement[]::new);
    int site = siteFinder.siteIndex(outer);
    String siteName = site < 0 ? CallStack.UNKNOWN : SiteFinder.name(outer[site]);
    synchronized (this) {
      int kept = Math.min(outer.length, CallStack.MAX_FRAMES);
      for (int i = 0; i < kept; i++) {
        StackTraceElement known = frames.get(outer[i]);
        if (known == null) {
          if (frames.size() >= maxFrames && !dropUnusedFrames()) {
            kept = i;
            break;
          }
          known = outer[i];
          frames.put(known, known);
        }
        outer[i] = known;
      }
      Key key = new Key(Arrays.copyOf(outer, kept), siteName);
      return intern(key, site < kept ? Math.max(0, site) : 0, outer.length - kept);
    }
  }

  private @Nullable Stack intern(Key key, int folded, int cut) {
    Stack stack = stacks.get(key);
    if (stack == null) {
      if (stacks.size() >= maxStacks && !dropUnused()) {
        return null;
      }
      stack = new Stack(key, folded, cut);
      stacks.put(key, stack);
    }
    stack.users++;
    return stack;
  }

  private void noteDepth(int depth) {
    int before = deepest;
    deepest = Math.max(depth, before - (before - depth) / 64 - 1);
  }

  /**
   * Returns the estimated bytes of a stack before its lookup, from the deepest recent stack. One
   * deep stack has no effect after some hundred further stacks.
   */
  int throwableBytes() {
    return BYTES_PER_THROWABLE + BYTES_PER_FRAME * deepest;
  }

  private static int firstForeign(StackTraceElement[] all) {
    int first = 0;
    while (first < all.length && SiteFinder.isOwn(all[first])) {
      first++;
    }
    return first == all.length ? 0 : first;
  }

  synchronized void release(@Nullable Stack stack) {
    if (stack != null) {
      stack.users--;
    }
  }

  /** Returns a stack for one more user. */
  synchronized @Nullable Stack retain(@Nullable Stack stack) {
    if (stack != null) {
      stack.users++;
    }
    return stack;
  }

  /**
   * Returns a stack with the same site and without frames for one more user; null if the table is
   * full.
   */
  synchronized @Nullable Stack retainSite(Stack stack) {
    Key siteOnly = new Key(new StackTraceElement[0], stack.site);
    return intern(siteOnly, 0, stack.frames.length + stack.cut);
  }

  /**
   * Returns a stack for a user that may never release it, such as a leak. Beyond the limit, the
   * result has the same site and no frames, because live samples need the other stacks.
   */
  synchronized @Nullable Stack keep(@Nullable Stack stack) {
    Stack kept = stack;
    if (kept != null && kept.keepers == 0 && keptStacks >= maxKept) {
      kept = retainSite(kept);
    } else {
      kept = retain(kept);
    }
    if (kept != null && kept.keepers++ == 0) {
      keptStacks++;
    }
    return kept;
  }

  /** Ends a use that {@link #keep} began. */
  synchronized void releaseKept(@Nullable Stack stack) {
    if (stack != null && --stack.keepers == 0) {
      keptStacks--;
    }
    release(stack);
  }

  /** Drops unused stacks. Returns whether there were any. */
  private boolean dropUnused() {
    int before = stacks.size();
    stacks.values().removeIf(stack -> stack.users <= 0);
    droppedStacks += before - stacks.size();
    return stacks.size() < before;
  }

  /**
   * Drops the frames of dropped stacks if there are many of these, because it reads all frames of
   * all stacks while releases of buffers wait. Returns whether there is room for a frame.
   */
  private boolean dropUnusedFrames() {
    boolean unused = dropUnused();
    if (droppedStacks < Math.max(1, maxStacks / 16)) {
      return false;
    }
    droppedStacks = 0;
    frames.clear();
    for (Stack stack : stacks.values()) {
      for (StackTraceElement frame : stack.frames) {
        frames.put(frame, frame);
      }
    }
    return frames.size() < maxFrames;
  }

  synchronized int stacks() {
    return stacks.size();
  }

  /** Returns a frame as a readable line, without class loader and module. */
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
}
