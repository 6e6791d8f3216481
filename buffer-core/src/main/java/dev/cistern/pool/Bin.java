/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The slot groups of one class that belong to one thread cache. Only the owner accesses it: the
 * thread of the cache, or the thread that holds the lock of a shared cache. Other threads send
 * notices.
 */
final class Bin {
  /** Number of full groups that are checked for released slots before the arena is used. */
  private static final int FULL_GROUP_CHECKS = 4;

  /** Number of groups that the maintenance thread checks in one round. */
  private static final int MAX_REVOKED = 1 << 20;

  /**
   * Number of groups that become current in turn. Each gets more free slots until its next turn, so
   * that the bin changes its current group less often. Groups that were added earlier become empty
   * and are freed.
   */
  private static final int ROUND = 16;

  /**
   * The maximum number of allocations between two checks of the owner whether a tick has passed.
   */
  private static final int ALLOCATIONS_PER_CHECK = 1024;

  final ThreadCache cache;
  final int sizeClass;
  private final boolean isForRuns;
  final BinCounters counters;
  final RemoteFreeNotices notices = new RemoteFreeNotices();

  /**
   * The group that the bin allocates from, in no set; the pool's group without slots if the bin has
   * none.
   */
  SlotGroup current;

  /** Groups that the owner released a slot into, or that have enough slots for a notice. */
  final GroupSet available = new GroupSet();

  /** Groups that had no free slot when they stopped being current, in any order. */
  final GroupSet fullGroups = new GroupSet();

  /** The number of requested bytes at which the next allocation is sampled. */
  private long nextSampleAt;

  /** The mean interval that was used for {@link #nextSampleAt}, in bytes; 0 if sampling is off. */
  private long sampleInterval;

  /** The number of allocations at which the next trim is due. */
  private long nextTrimAt;

  /** The number of allocations at the last trim. */
  private long allocationsTrimmed;

  /** Notices that were taken and not yet accepted, the oldest first. */
  private @Nullable RemoteFreeNotice unread;

  Bin(ThreadCache cache, int sizeClass) {
    this.cache = cache;
    this.sizeClass = sizeClass;
    this.isForRuns = sizeClass >= cache.pool.sizeClasses.subpageCount();
    this.counters = cache.counters.bin(sizeClass, cache.pool.sizeClasses.bytes(sizeClass));
    this.nextTrimAt = counters.allocations() + cache.pool.settings().trimIntervalAllocations();
    this.current = cache.pool.noGroup;
    drawSample();
  }

  // ---- allocation

  /** Allocates a slot; finds a group with a free slot if the current group has none. */
  Object take(int bytes) {
    if (!current.hasFree()) {
      cache.trimIfDue();
      findFree();
    }
    Object object = current.take(bytes);
    return object != null ? object : takeRare(bytes);
  }

  /** Allocates a slot that has no object, or at which a sample or a trim is due. */
  private Object takeRare(int bytes) {
    StackRoom.require(); // otherwise an allocated slot could be lost
    long count = counters.allocations() + 1;
    if (count >= nextTrimAt) {
      nextTrimAt = count + cache.pool.settings().trimIntervalAllocations();
      cache.trimAfterMany(this); // before a slot is taken: a failure would lose that slot
      return take(bytes);
    }
    if (counters.allocations() != allocationsTrimmed) { // the current group must stay
      cache.trimIfDue();
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

  /** Reports a sample to the front end, and chooses the next one. */
  void sample(SlotGroup group, int index, Object object, int bytes) {
    long weight = cache.sampler.weigh(bytes, sampleInterval);
    cache.drawSamplesIfChanged();
    drawSample();
    if (weight != 0) {
      group.unbind(index);
      cache.sampled(object, bytes, weight);
    }
  }

  /**
   * Chooses the next sample at random. The owner may do this at any time, because the process is
   * memoryless.
   */
  void drawSample() {
    nextSampleAt = counters.requestedBytes() + cache.sampler.next(ThreadLocalRandom.current());
    sampleInterval = cache.sampler.intervalBytes();
    extendFastPath();
  }

  /** Extends the fast path to the allocations before the next trim, check or sample. */
  private void extendFastPath() {
    long untilTrim = nextTrimAt - counters.allocations() - 1;
    long bytesUntilSample = nextSampleAt - counters.requestedBytes() - 1;
    counters.extendFastPath(Math.min(untilTrim, ALLOCATIONS_PER_CHECK), bytesUntilSample);
  }

  private Object bind(SlotGroup group, int index) {
    try {
      Object made = cache.pool.binder().bind(group, index);
      group.bound[index] = made;
      return made;
    } catch (RuntimeException | Error failed) { // the slot counts as released
      extendFastPath(); // repeated failures still advance the counters
      if (!group.tryReleaseFast(index)) { // the binder may have allocated: not current any more
        releaseSlow(group, index);
      }
      throw failed;
    }
  }

  // ---- the current group

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

  /** Replaces the current group, which has no free slot, by {@code next}. */
  private void replace(SlotGroup next) {
    SlotGroup before = current;
    // These steps need the most stack: if they fail, no group is in a wrong set.
    boolean isFull = before.slots != 0 && before.markFull();
    boolean isKept = before.slots != 0 && !before.isFreed();
    boolean isFast = hasFastReleases(next);
    cache.markBusy(before);
    if (next.set != null) {
      next.set.remove(next);
    }
    next.hasBeenIdle = false;
    next.markCurrent(isFast);
    setCurrent(next);
    if (isKept) {
      before.markNotCurrent(0);
      (isFull ? fullGroups : available).add(before); // later releases are drained later
    }
  }

  private void setCurrent(SlotGroup group) {
    current = group;
    cache.current[sizeClass] = group;
  }

  /** Returns whether all releases into a current group take the fast path. */
  private boolean hasFastReleases(SlotGroup group) {
    if (group.isWholeRun()) {
      return cache.keepIdle(group);
    }
    cache.markBusy(group);
    return true;
  }

  /** Returns the next group to allocate from; the current one if a notice was for that group. */
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
        available.remove(next); // the maintenance thread has freed it
      } else {
        return next;
      }
    }
    SlotGroup next = fullGroupWithSlots();
    return next != null ? next : SlowPath.nextFromArena(this);
  }

  private @Nullable RemoteFreeNotice nextNotice() {
    if (unread == null) {
      unread = notices.takeAll();
    }
    return unread;
  }

  /** Accepts the oldest notice, which must exist. After that, the group may send it again. */
  private void receiveNotice() {
    RemoteFreeNotice notice = Objects.requireNonNull(unread);
    SlotGroup group = notice.group;
    int free = group.freeWhenNotCurrent();
    int count = group.acceptNotice(); // needs the most stack: on failure the notice is still unread
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
   * Checks a few full groups, different ones at each call, for released slots that are too few for
   * a notice. If many groups have such slots, a call soon finds one. If few have, the checks cost
   * little, compared with a new group.
   */
  private @Nullable SlotGroup fullGroupWithSlots() {
    for (int checks = 0; checks < FULL_GROUP_CHECKS; checks++) {
      SlotGroup group = fullGroups.next(fullGroups.size());
      if (group != null && group.remoteCount() > 0 && !group.isFreed()) {
        return group;
      }
    }
    return null;
  }

  /** Adopts an orphan, or takes a run of the arena. */
  SlotGroup nextFromArena() {
    StackRoom.require();
    int groups = fullGroups.size() + available.size() + 2; // plus the next and the current group
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
    counters.misses++; // only after success
    counters.slotsAcquired += group.countFree();
    return group;
  }

  /** Returns the growth of the next subpage: the first two are as small as possible. */
  private int growthLog2() {
    return Math.min(fullGroups.size() + available.size(), SizeClasses.MAX_GROWTH_LOG2);
  }

  // ---- release

  /**
   * Releases a slot as the owner on the slow path: the first slot into a full group, the last slot
   * of a group that is not current, or the slot of a whole run that is not counted as idle.
   */
  void releaseSlow(SlotGroup group, int index) {
    // These steps can be repeated. They precede the release: if one fails, all are repeated.
    if (group == current && hasFastReleases(group)) {
      group.releaseListed(index, SlotLists.ALL_FAST);
      return;
    }
    int free = group.freeWhenNotCurrent() + 1;
    boolean isIdle = free == group.slots && cache.keepIdle(group);
    boolean stays = isIdle || free < group.slots || !StackRoom.isEnough(); // a trim frees it
    if (group.set == fullGroups) {
      available.moveFrom(fullGroups, group);
    }
    group.releaseListed(index, group.slots - 1 - free);
    if (!stays) {
      freeReleasedGroup(group);
    }
  }

  /** Frees a group whose last slot is released; if that fails, the maintenance thread does it. */
  private void freeReleasedGroup(SlotGroup group) {
    try {
      freeGroup(group);
    } catch (RuntimeException | Error failed) {
      cache.pool.pendingReleases.addFailure(failed);
    }
  }

  /** Frees a group that has no slot in use. */
  private void freeGroup(SlotGroup group) {
    if (group.set != null) {
      group.set.remove(group);
    } else {
      setCurrent(cache.pool.noGroup);
    }
    cache.markBusy(group);
    counters.slotsAcquired -= group.slots;
    boolean isKnown = group.remoteState() == RemoteFreeList.NOTIFIED; // its notice may still arrive
    group.disown(); // a chunk may keep the group, which must not keep the thread
    group.markFreed();
    group.freeRun(!isKnown);
  }

  // ---- trim and end

  /** Frees released memory that the owner has not received. Runs on the maintenance thread. */
  void revokeReleased() {
    current.revokeReleased();
    revokeReleased(notices.newest());
    revokeReleased(unread);
  }

  /**
   * Frees released memory of the groups of notices. An owner that runs may change the links
   * meanwhile, and the walk then ends elsewhere.
   */
  private static void revokeReleased(@Nullable RemoteFreeNotice first) {
    Throwable failed = null;
    int left = MAX_REVOKED;
    for (RemoteFreeNotice notice = first; notice != null && left-- > 0; notice = notice.next) {
      try {
        notice.group.revokeReleased();
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /** Frees the memory that was not needed since the last trim. The bin stays usable. */
  void trim() {
    while (nextNotice() != null) {
      receiveNotice();
    }
    boolean isUnused = counters.allocations() == allocationsTrimmed;
    allocationsTrimmed = counters.allocations();
    for (int i = available.size() - 1; i >= 0; i--) {
      trim(available.get(i)); // a freed group is replaced by the last one, which is trimmed
    }
    // Not for small classes: a walk over their long lists would make the trim slow.
    boolean isSmall = sizeClass < cache.pool.sizeClasses.smallCount();
    if (isUnused && !isSmall && current.slots != 0) {
      counters.slotsAcquired += current.drainRemoteFrees();
      if (current.countFree() == current.slots) {
        freeGroup(current);
      }
    }
  }

  private void trim(SlotGroup group) {
    if (group.isFreed()) {
      available.remove(group); // the maintenance thread has freed it
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

  /** Stops counting the current run as idle if it is in use: another bin may use that budget. */
  void stopCountingCurrentAsIdle() {
    if (current.isIdle && !current.hasFree()) {
      current.markCurrent(false);
      cache.markBusy(current);
    }
  }

  /**
   * Sets the owner of all groups: the same owner after a suspension, or null. The owner calls this.
   */
  void setOwner(@Nullable Thread owner) {
    if (current.slots != 0) { // no step allocates: a failure halfway would lose groups
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
   * Abandons every group: another thread adopts the group, its run returns to the chunk, or the
   * thread that releases its last slot frees it. If this fails, the next call continues with the
   * remaining groups.
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
