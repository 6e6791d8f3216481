/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The slot groups of one class that belong to one thread cache, and the class's counters there.
 * Only the owner (its thread, or who holds the lock of a shared cache) touches it; others send
 * notices.
 */
final class Bin extends Tally {
  /** How many runs a bin asks for in advance. */
  private static final int QUIET_RUNS = 8;

  /** How many of the groups that have sent no notice are looked at before the arena is asked. */
  private static final int PARKED_LOOKS = 4;

  final ThreadCache cache;
  final int sizeClass;
  final int slotBytes;
  final Notices notices = new Notices();

  /** The group that is allocated from; in neither list. */
  SlotGroup current;

  /**
   * Groups with something free. First those that the owner itself released into, the last one
   * first; then those that a notice came for, the first one first, as it has most of its slots
   * back.
   */
  final GroupList available = new GroupList();

  /** Racks with nothing free, but with places for runs; they too wait for a notice. */
  final GroupList vacant = new GroupList();

  /** Groups with neither, or with less than a notice is sent for. */
  final ParkedGroups parked = new ParkedGroups();

  // More counters: written by the owner, plain; read by anybody, opaque, in BinCounters.
  long misses;

  /** Times that an empty list was filled without the arena. */
  long recoveries;

  long adoptions;

  /** Free slots that came here from elsewhere, less those that went. */
  long slotsTaken;

  /** The value of {@link #requestedBytes()} from which on the next allocation is sampled. */
  private long nextSampleAt;

  /** The interval that {@link #nextSampleAt} was drawn with, in bytes; 0 where sampling is off. */
  private long sampleInterval;

  /** The value of {@link #allocations()} that brings the next trim. */
  private long nextTrimAt;

  /** Notices that were taken and are yet to be received; owner only. */
  private @Nullable Notice unread;

  /** Where in {@link #parked} was looked last. */
  private int lookedAt;

  /** Rack: the fewest cached runs since the last trim. */
  private long leastCached;

  /** Rack: how many runs may be cached here, by the budget of all classes together. */
  long mayCache;

  Bin(ThreadCache cache, int sizeClass) {
    this.cache = cache;
    this.sizeClass = sizeClass;
    this.slotBytes = cache.pool.sizeClasses().bytes(sizeClass);
    this.nextTrimAt = cache.pool.trimIntervalAllocations();
    drawSample();
    this.current = nextFromArena();
    current.becomeCurrent();
  }

  boolean isForRuns() {
    return sizeClass >= cache.pool.sizeClasses().smallCount();
  }

  // ---- allocation

  /** Takes a slot from wherever one is free. */
  Object take(int bytes) {
    if (!current.hasFree()) {
      cache.trimIfDue();
      if (isForRuns()) {
        return takeRun(bytes);
      }
      findFree();
    }
    return takeFromCurrent(bytes);
  }

  private Object takeFromCurrent(int bytes) {
    Object object = current.take(bytes);
    return object != null ? object : takeRare(bytes);
  }

  /** An allocation that finds no object, or that brings a sample or a trim. */
  private Object takeRare(int bytes) {
    StackRoom.require(); // a slot that is taken must not be lost
    long count = allocations() + 1;
    if (count >= nextTrimAt) {
      nextTrimAt = count + cache.pool.trimIntervalAllocations();
      cache.trim(); // before a slot is taken, which would be lost if this failed
      return take(bytes);
    }
    SlotGroup group = current;
    int index = group.pop();
    countAllocation();
    Object object = group.bound[index];
    if (object == null) {
      object = bind(group, index);
    }
    return counted(group, index, object, bytes);
  }

  private Object counted(SlotGroup group, int index, Object object, int bytes) {
    countBytes(bytes);
    if (requestedBytes() >= nextSampleAt) {
      sample(group, index, object, bytes);
    }
    stayQuiet();
    return object;
  }

  private void sample(SlotGroup group, int index, Object object, int bytes) {
    long weight = cache.sampler.weigh(bytes, sampleInterval);
    cache.drawSamplesIfChanged();
    drawSample();
    if (weight != 0) {
      group.unbind(index);
      cache.sampled(object, bytes, weight);
    }
  }

  /** Draws when to sample next; fair at any time, since the process has no memory. */
  void drawSample() {
    nextSampleAt = requestedBytes() + cache.sampler.next(ThreadLocalRandom.current());
    sampleInterval = cache.sampler.intervalBytes();
    stayQuiet();
  }

  /** The next allocations up to a trim or a sample are nothing but counting. */
  private void stayQuiet() {
    stayQuiet(nextTrimAt - allocations() - 1, nextSampleAt - requestedBytes() - 1, slotBytes);
  }

  private Object bind(SlotGroup group, int index) {
    try {
      Object made = cache.pool.binder().bind(group, index);
      group.bound[index] = made;
      return made;
    } catch (RuntimeException | Error failed) {
      giveUp(group, index);
      throw failed;
    }
  }

  /** The front end could not make an object: the slot goes back as if it had been released. */
  private void giveUp(SlotGroup group, int index) {
    stayQuiet(); // who fails again and again counts on
    if (group.isRack()) {
      releaseRun(group, index);
    } else {
      group.push(index);
      releases++;
    }
  }

  // ---- small: subpages

  /** Sees to it that the current subpage has a free slot. */
  private void findFree() {
    long missesBefore = misses;
    while (!current.hasFree()) {
      slotsTaken += current.collect();
      current.becomeCurrent(); // a shared cache's releases do not come to releaseAtEdge for that
      if (!current.hasFree()) {
        receiveNotices();
      }
      if (!current.hasFree()) { // the notices may have brought something to the current one too
        replace(nextGroup());
      }
    }
    recoveries += misses == missesBefore ? 1 : 0;
  }

  /** Makes {@code next} the current group, and sets the one before, which has nothing, aside. */
  private void replace(SlotGroup next) {
    SlotGroup before = current;
    boolean isFull = before.markFull(); // needs most stack: if that ends here, nothing has changed
    boolean isDead = before.isDead();
    if (next.list == available) {
      available.remove(next);
    } else if (next.list == parked) {
      parked.remove(next);
    }
    setCurrent(next);
    before.becomeAside(0);
    if (isFull) {
      parked.add(before);
    } else if (!isDead) {
      available.add(before); // what came meanwhile is collected when the group is used
    }
  }

  private void setCurrent(SlotGroup next) {
    current = next;
    next.becomeCurrent();
    cache.current[sizeClass] = next;
  }

  private SlotGroup nextGroup() {
    SlotGroup next = available.first();
    if (next == null) {
      next = parkedWithSlots();
      return next != null ? next : nextFromArena();
    }
    cache.markBusy(next);
    return next;
  }

  /**
   * Looks at a few groups, each time others, for slots that are too few for a notice. So if they
   * are many in all, they are found; if not, looking costs little for each subpage that is cut.
   */
  private @Nullable SlotGroup parkedWithSlots() {
    for (int looks = Math.min(PARKED_LOOKS, parked.size()); looks > 0; looks--) {
      lookedAt = lookedAt + 1 < parked.size() ? lookedAt + 1 : 0;
      SlotGroup group = parked.get(lookedAt);
      if (group.remoteCount() > 0 && !group.isDead()) {
        return group;
      }
    }
    return null;
  }

  private SlotGroup nextFromArena() {
    StackRoom.require();
    parked.reserve(parked.size() + vacant.size() + available.size() + 2); // this and the current
    if (isForRuns()) {
      return own(cache.newRack(sizeClass));
    }
    SlotGroup orphan = cache.arena.orphans[sizeClass].adopt(this);
    if (orphan != null) {
      misses++;
      adoptions++;
      slotsTaken += orphan.countFree();
      return orphan;
    }
    SlotGroup subpage = cache.newSubpage(this, growthLog2());
    misses++; // after success (seed row F2)
    slotsTaken += subpage.slots;
    return subpage;
  }

  /** The first subpage is as small as can be, the next is larger. */
  private int growthLog2() {
    return Math.min(parked.size() + available.size(), SizeClasses.MAX_GROWTH_LOG2);
  }

  private SlotGroup own(SlotGroup group) {
    group.becomeOwned(this);
    return group;
  }

  /** Looks at the groups that other threads have released slots of. */
  private void receiveNotices() {
    if (unread == null) {
      unread = notices.takeAll();
    }
    while (unread != null) {
      receive(unread.group, unread.next);
    }
  }

  /** Once a notice is received, the group may send it again: its link is not the list's then. */
  private void receive(SlotGroup group, @Nullable Notice next) {
    int free = group.freeAside();
    int count = group.receive(); // needs most stack: if that ends here, the notice is still unread
    unread = next;
    slotsTaken += count;
    try {
      keepWithinBudget(group, 0);
    } finally { // also where the memory source failed: no other notice is to come for these slots
      setAside(group, free + count);
    }
  }

  private void setAside(SlotGroup group, int free) {
    if (group.list == null) {
      return; // the current one
    }
    if (group.list != available && !becomesAvailable(group, group.list)) {
      return;
    }
    group.becomeAside(free);
    if (free == group.slots
        && group.isSubpage()
        && !cache.keepIdle(group)
        && StackRoom.isEnough()) { // else the next trim gives it back
      giveBack(group);
    }
  }

  /** Looks where a group that had nothing belongs now; true if it was made available. */
  private boolean becomesAvailable(SlotGroup group, GroupSet from) {
    if (group.isDead()) {
      from.remove(group);
      return false;
    }
    if (!group.hasFree() && !group.hasVacancy() && group.markFull()) {
      return false;
    }
    if (from == vacant) {
      available.takeFrom(vacant, group);
    } else { // of a subpage more is coming back: let it, while there are others
      available.takeFrom(parked, group, group.isSubpage());
    }
    return true;
  }

  /**
   * A release by the owner that is more than a push: the first into a full group, the last of a
   * group set aside, or any of a run.
   */
  void releaseAtEdge(SlotGroup group, int index) {
    if (group.isRack()) {
      releaseRun(group, index);
      return;
    }
    if (group == current) {
      group.releaseCurrent(index); // after 2^31 releases
      return;
    }
    // These steps can be repeated, so they precede the release: if one fails, all are repeated.
    unpark(group);
    int free = group.freeAside() + 1;
    boolean stays = free < group.slots || cache.keepIdle(group) || !StackRoom.isEnough();
    group.releaseAside(index, free);
    if (!stays) {
      giveBackReleased(group);
    }
  }

  /** The slot is released, whatever happens here: what fails, the maintenance thread does. */
  private void giveBackReleased(SlotGroup subpage) {
    try {
      giveBack(subpage);
    } catch (RuntimeException | Error failed) {
      cache.pool.pendingReleases.addFailure(failed);
    }
  }

  private void unpark(SlotGroup group) {
    GroupSet list = group.list;
    if (list == parked) {
      available.takeFrom(parked, group, false);
    } else if (list == vacant) {
      available.takeFrom(vacant, group);
    }
  }

  /** Returns a subpage without a slot in use to its chunk. */
  private void giveBack(SlotGroup subpage) {
    available.remove(subpage);
    cache.markBusy(subpage);
    slotsTaken -= subpage.slots;
    subpage.die();
    subpage.giveRunBack();
  }

  // ---- normal: racks

  private Object takeRun(int bytes) {
    collectRuns(current);
    if (!current.hasFree()) {
      receiveNotices();
      findCachedRun();
    }
    if (!current.hasFree()) {
      return takeNewRun(bytes);
    }
    recoveries++;
    return takeFromCurrent(bytes);
  }

  /** Looks whether a rack that was set aside has a run; each that has none is looked at once. */
  private void findCachedRun() {
    for (SlotGroup rack = available.first(); rack != null; rack = available.first()) {
      collectRuns(rack);
      available.remove(rack);
      if (rack.hasFree()) {
        replaceRack(rack);
        return;
      }
      setRackAside(rack);
      if (rack.list == available) {
        return; // a run has come meanwhile; looking again might not end
      }
    }
  }

  /** Puts a rack where it belongs that is not the current one any more. */
  private void setRackAside(SlotGroup rack) {
    if (rack.hasFree() || !rack.markFull()) {
      available.add(rack); // what came meanwhile is collected when a run is wanted
    } else if (rack.hasVacancy()) {
      vacant.add(rack);
    } else {
      parked.add(rack);
    }
  }

  /** Takes over remotely released runs, as many as the budget allows. */
  private void collectRuns(SlotGroup rack) {
    slotsTaken += rack.collect();
    keepWithinBudget(rack, 1); // one is about to be taken
  }

  /** Gives runs of {@code rack} back where there are more than the budget allows. */
  private void keepWithinBudget(SlotGroup rack, int keep) {
    if (!rack.isRack()) {
      return;
    }
    current.askAgain();
    long cached = cachedRuns();
    while (cached > mayCache && cache.grantRun(this)) {
      // one more each time
    }
    long over = cached - mayCache;
    if (over > 0) {
      int free = rack.countFree();
      dropRuns(rack, free, (int) Math.min(free - keep, over));
    }
  }

  /** Gives back the {@code drop} of the {@code free} runs of a rack that lay there longest. */
  private void dropRuns(SlotGroup rack, int free, int drop) {
    if (drop > 0 && StackRoom.isEnough()) { // else the next trim does so
      try {
        rack.vacateOldest(free - drop);
      } finally {
        slotsTaken -= free - rack.countFree(); // fewer, where the memory source failed
      }
    }
  }

  /** Rack: how many runs are free here. */
  long cachedRuns() {
    return slotsTaken + releases - allocations();
  }

  private void replaceRack(SlotGroup next) {
    SlotGroup before = current;
    setCurrent(next);
    before.becomeAside(0);
    setRackAside(before);
  }

  private Object takeNewRun(int bytes) {
    StackRoom.require();
    if (!current.hasVacancy()) {
      SlotGroup next = vacant.first();
      if (next == null) {
        next = nextFromArena();
      } else {
        vacant.remove(next);
      }
      replaceRack(next);
    }
    SlotGroup rack = current;
    Run run = cache.arena.takeRun(cache.pool.sizeClasses().runPages(sizeClass), rack);
    misses++; // after success (seed row F2)
    int index = rack.fill(run);
    countAllocation();
    slotsTaken++;
    leastCached = 0;
    Object object = rack.bound[index];
    object = object == null ? bind(rack, index) : rebind(rack, index, object);
    return counted(rack, index, object, bytes);
  }

  private Object rebind(SlotGroup rack, int index, Object bound) {
    try {
      cache.pool.binder().rebind(bound, rack, index);
      return bound;
    } catch (RuntimeException | Error failed) {
      rack.bound[index] = null; // it may still say where it lay before
      giveUp(rack, index);
      throw failed;
    }
  }

  /**
   * How many releases into {@code rack} are nothing but a push, whatever is taken in between: the
   * budget was asked for as many runs before. 0 or less where it is to be asked, where fewer are
   * cached than ever since the last trim, and for a subpage.
   */
  int quietReleases(SlotGroup rack) {
    long cached = cachedRuns();
    return rack == current && cached >= leastCached ? (int) (mayCache - cached) : 0;
  }

  private void releaseRun(SlotGroup rack, int index) {
    long cached = cachedRuns();
    leastCached = Math.min(leastCached, cached); // no run is taken before the next release
    if (cached >= mayCache && !cache.grantRun(this)) {
      releaseExcess(rack, index);
      return;
    }
    grantMore(cached + 1); // before the release: if it fails, all steps are repeated
    unpark(rack);
    rack.releaseRun(index);
  }

  /** The slot is released, whatever happens here: what fails, the maintenance thread does. */
  private void releaseExcess(SlotGroup rack, int index) {
    StackRoom.require();
    unpark(rack);
    releases++;
    try {
      vacate(rack, index);
      dropIfVacant(rack);
    } catch (RuntimeException | Error failed) {
      cache.pool.pendingReleases.addFailure(failed);
    }
  }

  private void vacate(SlotGroup rack, int index) {
    try {
      rack.vacate(index);
    } finally {
      if (rack.hasRun(index)) {
        current.askAgain(); // that failed: it is here still, and was not among those allowed
      } else {
        slotsTaken--;
      }
    }
  }

  /** Asks for more runs than these at once, so that not each release has to. */
  private void grantMore(long cached) {
    while (mayCache - cached < QUIET_RUNS && cache.hasRunBudget(slotBytes)) {
      cache.grantRun(this);
    }
  }

  private void dropIfVacant(SlotGroup rack) {
    if (rack != current && rack.isVacant() && rack.list != null) {
      rack.list.remove(rack);
      rack.die();
    }
  }

  // ---- trim and end

  /** Gives back what was not needed since the last trim; the bin stays usable (seed row A9). */
  void trim() {
    receiveNotices();
    SlotGroup next;
    for (SlotGroup group = available.first(); group != null; group = next) {
      next = group.nextInList;
      if (isForRuns()) {
        trimRack(group);
      } else {
        trimSubpage(group);
      }
    }
    for (SlotGroup rack = vacant.first(); rack != null; rack = next) {
      next = rack.nextInList;
      dropIfVacant(rack);
    }
    if (isForRuns()) {
      int free = current.countFree();
      dropRuns(current, free, (int) Math.min(Math.min(leastCached, cachedRuns()), free));
      leastCached = cachedRuns();
      cache.ungrantRuns(this);
    }
  }

  /** The owner takes its groups back that it was taken out of, or takes itself out. */
  void setOwner(@Nullable Thread owner) {
    current.owner = owner;
    setOwner(available, owner); // nothing here wants memory: half a cache taken back would be lost
    setOwner(vacant, owner);
    for (int i = 0; i < parked.size(); i++) {
      parked.get(i).owner = owner;
    }
  }

  private static void setOwner(GroupList groups, @Nullable Thread owner) {
    for (SlotGroup group = groups.first(); group != null; group = group.nextInList) {
      group.owner = owner;
    }
  }

  private void trimSubpage(SlotGroup subpage) {
    if (subpage.isDead()) {
      available.remove(subpage); // the janitor has taken it
      return;
    }
    int free = subpage.freeAside();
    int collected = subpage.collect();
    slotsTaken += collected;
    free += collected;
    subpage.becomeAside(free);
    if (free == subpage.slots) {
      giveBack(subpage);
    }
  }

  private void trimRack(SlotGroup rack) {
    slotsTaken += rack.collect();
    int free = rack.countFree();
    dropRuns(rack, free, free);
    dropIfVacant(rack);
  }

  /**
   * Leaves every group: to the next thread, to its chunk, or to the last who releases a slot. Each
   * is out of the lists once it is left: where this fails, calling it again goes on with the rest.
   */
  void leave() {
    SlotGroup none = cache.pool.noGroup();
    if (current != none) {
      SlotGroup left = current;
      leaveRuns(left);
      current = none;
      leaveSubpage(left);
    }
    leave(available);
    leave(vacant);
    while (parked.size() > 0) {
      leave(parked, parked.get(parked.size() - 1));
    }
  }

  private void leave(GroupList groups) {
    for (SlotGroup group = groups.first(); group != null; group = groups.first()) {
      leave(groups, group);
    }
  }

  private void leave(GroupSet groups, SlotGroup group) {
    leaveRuns(group);
    groups.remove(group);
    leaveSubpage(group);
  }

  /** A rack is not left before each of its free runs is. */
  private void leaveRuns(SlotGroup group) {
    cache.pool.threadCaches().beforeStep.run();
    if (group.isRack() && !group.isDead()) {
      group.leaveRack();
    }
  }

  private void leaveSubpage(SlotGroup group) {
    group.idle = false;
    if (!group.isRack() && !group.isDead()) {
      cache.arena.orphans[sizeClass].add(group);
    }
  }

  @Override
  public String toString() {
    return "bin of "
        + slotBytes
        + " B: taken "
        + slotsTaken
        + ", allocations "
        + allocations()
        + ", releases "
        + releases;
  }
}
