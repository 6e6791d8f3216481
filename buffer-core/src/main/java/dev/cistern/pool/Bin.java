/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The slot groups of one class that belong to one thread cache. Only the owner touches it: its
 * thread, or the thread that holds the lock of a shared cache. Other threads send notices.
 */
final class Bin {
  /** How many of the groups that have sent no notice are looked at before the arena is asked. */
  private static final int FULL_GROUP_LOOKS = 4;

  /** How many groups the maintenance thread looks at in a round. */
  private static final int MAX_REVOKED = 1 << 20;

  /**
   * How many groups take turns: meanwhile each gets more free slots, so that the bin has to change
   * the group less often. Groups that were set aside earlier get empty and go.
   */
  private static final int ROUND = 16;

  final ThreadCache cache;
  final int sizeClass;
  private final boolean isForRuns;
  private final boolean isSmall;
  final BinCounters counters;
  final Notices notices = new Notices();

  /**
   * The group that is allocated from, in no set; the pool's group without a slot if there is none.
   */
  SlotGroup current;

  /** Groups that the owner released a slot into, or that have too much for a notice. */
  final GroupSet available = new GroupSet();

  /** Groups that had nothing free when they were set aside, in any order. */
  final GroupSet fullGroups = new GroupSet();

  /** The value of requested bytes from which on the next allocation is sampled. */
  private long nextSampleAt;

  /** The interval that {@link #nextSampleAt} was drawn with, in bytes; 0 if sampling is off. */
  private long sampleInterval;

  /** The number of allocations that brings the next trim. */
  private long nextTrimAt;

  /** The number of allocations at the last trim. */
  private long allocationsTrimmed;

  /** Notices that were taken and are yet to be received, the oldest first. */
  private @Nullable Notice unread;

  Bin(ThreadCache cache, int sizeClass) {
    this.cache = cache;
    this.sizeClass = sizeClass;
    this.isForRuns = cache.isRun(sizeClass);
    this.isSmall = sizeClass < cache.pool.sizeClasses().smallCount();
    this.counters = cache.counters.bin(sizeClass, cache.pool.sizeClasses().bytes(sizeClass));
    this.nextTrimAt = counters.allocations() + cache.pool.settings().trimIntervalAllocations();
    this.current = cache.pool.noGroup;
    drawSample();
  }

  // ---- allocation

  /** Takes a slot from wherever one is free. */
  Object take(int bytes) {
    if (!current.hasFree()) {
      cache.trimIfDue();
      findFree();
    }
    Object object = current.take(bytes);
    return object != null ? object : takeRare(bytes);
  }

  /** An allocation that finds no object, or that brings a sample or a trim. */
  private Object takeRare(int bytes) {
    StackRoom.require(); // a slot that is taken must not be lost
    long count = counters.allocations() + 1;
    if (count >= nextTrimAt) {
      nextTrimAt = count + cache.pool.settings().trimIntervalAllocations();
      cache.trimAfterMany(this); // before a slot is taken, which would be lost if this failed
      return take(bytes);
    }
    SlotGroup group = current;
    int index = group.pop();
    counters.countAllocation();
    Object object = group.bound[index];
    if (object == null) {
      object = bind(group, index);
    }
    counters.countBytes(bytes);
    if (counters.requestedBytes() >= nextSampleAt) {
      SlowPath.sample(this, group, index, object, bytes);
    }
    extendFastPath();
    return object;
  }

  /** Tells the front end of a sample, and draws when to sample next. */
  void sample(SlotGroup group, int index, Object object, int bytes) {
    long weight = cache.sampler.weigh(bytes, sampleInterval);
    cache.drawSamplesIfChanged();
    drawSample();
    if (weight != 0) {
      group.unbind(index);
      cache.sampled(object, bytes, weight);
    }
  }

  /** Draws when to sample next; fair at any time, because the process has no memory. */
  void drawSample() {
    nextSampleAt = counters.requestedBytes() + cache.sampler.next(ThreadLocalRandom.current());
    sampleInterval = cache.sampler.intervalBytes();
    extendFastPath();
  }

  /** The next allocations up to a trim or a sample are nothing but counting. */
  private void extendFastPath() {
    counters.extendFastPath(
        nextTrimAt - counters.allocations() - 1, nextSampleAt - counters.requestedBytes() - 1);
  }

  private Object bind(SlotGroup group, int index) {
    try {
      Object made = cache.pool.binder().bind(group, index);
      group.bound[index] = made;
      return made;
    } catch (RuntimeException | Error failed) { // the slot goes back as if it had been released
      extendFastPath(); // repeated failures still advance the counters
      group.push(index);
      counters.releases++;
      throw failed;
    }
  }

  // ---- the group to allocate from

  /** Ensures that the current group has a free slot. */
  private void findFree() {
    long missesBefore = counters.misses;
    while (!current.hasFree()) {
      counters.slotsAcquired += current.drainRemoteFrees();
      if (current.hasFree()) {
        current.markCurrent(hasFastReleases(current));
        break;
      }
      SlotGroup next = nextGroup();
      if (next != current) {
        replace(next);
      }
    }
    counters.remoteRefills += counters.misses == missesBefore ? 1 : 0;
  }

  /** Makes {@code next} the current group, and sets the one before, which has nothing, aside. */
  private void replace(SlotGroup next) {
    SlotGroup before = current;
    // These steps need most stack: if it ends here, nothing has changed.
    boolean isFull = before.slots != 0 && before.markFull();
    boolean isAside = before.slots != 0 && !before.isFreed();
    boolean isFast = hasFastReleases(next);
    cache.markBusy(before);
    if (next.set != null) {
      next.set.remove(next);
    }
    next.hasBeenIdle = false;
    next.markCurrent(isFast);
    setCurrent(next);
    if (isAside) {
      before.markNotCurrent(0);
      (isFull ? fullGroups : available).add(before); // what came meanwhile is collected later
    }
  }

  private void setCurrent(SlotGroup group) {
    current = group;
    cache.current[sizeClass] = group;
  }

  /** Returns whether each release into a current group is nothing but a push. */
  private boolean hasFastReleases(SlotGroup group) {
    if (group.isWholeRun()) {
      return cache.keepIdle(group);
    }
    cache.markBusy(group);
    return true;
  }

  /** Returns the group to allocate from next; the current one if a notice was for that. */
  private SlotGroup nextGroup() {
    for (; ; ) {
      SlotGroup next = available.next(isForRuns ? 1 : ROUND);
      if (next == null) {
        if (nextNotice() == null) {
          break;
        }
        receiveNotice();
        if (current.hasFree()) {
          return current;
        }
      } else if (next.isFreed()) {
        available.remove(next); // the maintenance thread has taken it
      } else {
        return next;
      }
    }
    SlotGroup next = fullGroupWithSlots();
    return next != null ? next : SlowPath.nextFromArena(this);
  }

  private @Nullable Notice nextNotice() {
    if (unread == null) {
      unread = notices.takeAll();
    }
    return unread;
  }

  /** Receives a notice, of which there is one; after that, the group may send it again. */
  private void receiveNotice() {
    Notice notice = Objects.requireNonNull(unread);
    SlotGroup group = notice.group;
    int free = group.freeWhenNotCurrent();
    int count = group.acceptNotice(); // needs most stack: on failure the notice is still unread
    unread = notice.next;
    counters.slotsAcquired += count;
    if (group == current || group.set == null) {
      return;
    }
    group.markNotCurrent(free + count);
    if (group.isFreed()) {
      group.set.remove(group);
    } else if (group.set == fullGroups && (free + count > 0 || !group.markFull())) {
      available.moveFrom(fullGroups, group);
    }
  }

  /**
   * Looks at a few groups, each time others, for slots that are too few for a notice. So if they
   * are many in all, they are found; if not, looking costs little for each new group.
   */
  private @Nullable SlotGroup fullGroupWithSlots() {
    for (int looks = 0; looks < FULL_GROUP_LOOKS; looks++) {
      SlotGroup group = fullGroups.next(fullGroups.size());
      if (group != null && group.remoteCount() > 0 && !group.isFreed()) {
        return group;
      }
    }
    return null;
  }

  /** Takes an orphan, or a run of the arena. */
  SlotGroup nextFromArena() {
    StackRoom.require();
    int groups = fullGroups.size() + available.size() + 2; // the next one, and the current one
    fullGroups.reserve(groups);
    available.reserve(groups);
    if (isForRuns) {
      return missed(cache.newRun(this));
    }
    SlotGroup orphan = cache.arena.orphans[sizeClass].adopt(this);
    if (orphan != null) {
      counters.adoptions++;
      return missed(orphan);
    }
    return missed(cache.newSubpage(this, growthLog2()));
  }

  private SlotGroup missed(SlotGroup group) {
    counters.misses++; // after success
    counters.slotsAcquired += group.countFree();
    return group;
  }

  /** The first subpage is as small as can be, the next is larger. */
  private int growthLog2() {
    return Math.min(fullGroups.size() + available.size(), SizeClasses.MAX_GROWTH_LOG2);
  }

  // ---- release

  /**
   * A release by the owner that is more than a push: the first into a full group, the last of a
   * group set aside, or one into a whole run that is not counted as idle.
   */
  void releaseSlow(SlotGroup group, int index) {
    // These steps can be repeated, so they precede the release: if one fails, all are repeated.
    if (group == current && hasFastReleases(group)) {
      group.releaseListed(index, SlotLists.ALL_FAST);
      return;
    }
    int free = group.freeWhenNotCurrent() + 1;
    boolean isIdle = free == group.slots && cache.keepIdle(group);
    boolean stays = isIdle || free < group.slots || !StackRoom.isEnough(); // a trim gives it back
    if (group.set == fullGroups) {
      available.moveFrom(fullGroups, group);
    }
    group.releaseListed(index, group.slots - 1 - free);
    if (!stays) {
      freeReleasedGroup(group);
    }
  }

  /** The slot is released, whatever happens here: the maintenance thread does what fails. */
  private void freeReleasedGroup(SlotGroup group) {
    try {
      freeGroup(group);
    } catch (RuntimeException | Error failed) {
      cache.pool.pendingReleases.addFailure(failed);
    }
  }

  /** Returns the run of a group to its chunk; no slot of the group is in use. */
  private void freeGroup(SlotGroup group) {
    if (group.set != null) {
      group.set.remove(group);
    } else {
      setCurrent(cache.pool.noGroup);
    }
    cache.markBusy(group);
    counters.slotsAcquired -= group.slots;
    boolean isKnown = group.remoteState() == RemoteWord.NOTIFIED; // its notice may be under way
    group.disown(); // a chunk that keeps the group keeps no thread
    group.markFreed();
    group.freeRun(!isKnown);
  }

  // ---- trim and end

  /** By the maintenance thread: takes memory back that the owner was sent and does not receive. */
  void revokeReleased() {
    current.revokeReleased();
    revokeReleased(notices.newest());
    revokeReleased(unread);
  }

  /** An owner that is awake may change the links under this walk, which then ends elsewhere. */
  private static void revokeReleased(@Nullable Notice first) {
    Throwable failed = null;
    int left = MAX_REVOKED;
    for (Notice notice = first; notice != null && left-- > 0; notice = notice.next) {
      try {
        notice.group.revokeReleased();
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /** Gives back what was not needed since the last trim; the bin stays usable. */
  void trim() {
    while (nextNotice() != null) {
      receiveNotice();
    }
    boolean isUnused = counters.allocations() == allocationsTrimmed;
    allocationsTrimmed = counters.allocations();
    for (int i = available.size() - 1; i >= 0; i--) {
      trim(available.get(i)); // if it goes, the last group gets its place: that one was trimmed
    }
    // Not of small classes: their lists are long, and a trim is to be short.
    if (isUnused && !isSmall && current.hasFree() && current.countFree() == current.slots) {
      freeGroup(current);
    }
  }

  private void trim(SlotGroup group) {
    if (group.isFreed()) {
      available.remove(group); // the maintenance thread has taken it
      return;
    }
    int free = group.freeWhenNotCurrent();
    int collected = group.drainRemoteFrees();
    counters.slotsAcquired += collected;
    free += collected;
    group.markNotCurrent(free);
    boolean isFree = free == group.slots;
    if (isFree && (group.hasBeenIdle || !cache.keepIdle(group))) {
      freeGroup(group);
    } else {
      group.hasBeenIdle = isFree;
    }
  }

  /** Lets another bin have what this bin may keep and does not: the current run is in use. */
  void stopCountingCurrentAsIdle() {
    if (current.isIdle && !current.hasFree()) {
      current.markCurrent(false);
      cache.markBusy(current);
    }
  }

  /** The owner takes its groups back that it was taken out of, or takes itself out. */
  void setOwner(@Nullable Thread owner) {
    if (current.slots != 0) { // nothing here allocates: half a cache taken back would be lost
      current.owner = owner;
    }
    setOwner(available, owner);
    setOwner(fullGroups, owner);
  }

  private static void setOwner(GroupSet groups, @Nullable Thread owner) {
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).owner = owner;
    }
  }

  /**
   * Leaves every group: to the next thread, to its chunk, or to the thread that releases its last
   * slot. If this fails, calling it again goes on with the rest.
   */
  void abandonGroups() {
    if (current.slots != 0) {
      abandon(current);
      setCurrent(cache.pool.noGroup);
    }
    for (SlotGroup group = available.last(); group != null; group = available.last()) {
      abandon(group);
    }
    for (SlotGroup group = fullGroups.last(); group != null; group = fullGroups.last()) {
      abandon(group);
    }
  }

  private void abandon(SlotGroup group) {
    cache.markBusy(group);
    group.hasBeenIdle = false;
    counters.slotsAcquired -= group.isFreed() ? 0 : group.countFree();
    if (group.isSubpage() && !group.isFreed()) {
      cache.arena.orphans[sizeClass].add(group);
      return;
    }
    boolean isGivenBack = false;
    if (!group.isFreed()) {
      group.disown();
      isGivenBack = !group.becomeOrphan();
    }
    if (group.set != null) {
      group.set.remove(group);
    }
    if (isGivenBack) {
      group.freeRun(false);
    }
  }

  @Override
  public String toString() {
    return "bin of " + counters;
  }
}
