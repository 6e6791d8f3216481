/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * The slot groups of one class that belong to one thread cache, and the class's counters there.
 * Only the owner (its thread, or who holds the lock of a shared cache) touches it; others send
 * notices.
 */
final class Bin {
  final ThreadCache cache;
  final int sizeClass;
  final int slotBytes;
  final Notices notices = new Notices();

  /** The group that is allocated from; in neither list. */
  SlotGroup current;

  /** Groups with something free, the last one first. */
  final GroupList available = new GroupList();

  /** Groups without, which wait for a notice. */
  final GroupList parked = new GroupList();

  // Counters: written by the owner, plain; read by anybody, opaque, in BinCounters.
  long allocations;
  long releases;
  long misses;

  /** Times that an empty stack was filled without the arena. */
  long recoveries;

  long adoptions;
  long requestedBytes;

  /** Free slots that came here from elsewhere, less those that went. */
  long slotsTaken;

  /** Rack: the fewest cached runs since the last trim. */
  private int leastCached;

  Bin(ThreadCache cache, int sizeClass) {
    this.cache = cache;
    this.sizeClass = sizeClass;
    this.slotBytes = cache.pool.sizeClasses().bytes(sizeClass);
    this.current = nextFromArena();
    current.becomeCurrent();
  }

  private boolean isForRuns() {
    return sizeClass >= cache.pool.sizeClasses().smallCount();
  }

  // ---- small: subpages

  /** Pops a free slot: the path that is nearly always taken. */
  Object take() {
    SlotGroup group = current;
    int top = group.top - 1;
    if (top < 0) {
      return takeSlow();
    }
    group.top = top;
    int index = group.stack[top];
    Object bound = group.bound[index];
    long count = ++allocations;
    if (bound == null || (count & cache.trimMask) == 0) {
      return takeRare(group, index, bound);
    }
    return bound;
  }

  private Object takeRare(SlotGroup group, int index, @Nullable Object bound) {
    if ((allocations & cache.trimMask) == 0) {
      cache.trim();
      group.stack[group.top] = (char) index; // where the sampler looks for the slot taken last
    }
    return bound != null ? bound : bind(group, index);
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
    if (group.isRack()) {
      releaseRun(group, index);
    } else {
      group.push(index);
      releases++;
    }
  }

  private Object takeSlow() {
    cache.trimIfDue();
    long missesBefore = misses;
    for (; ; ) {
      if (current.top > 0) {
        recoveries += misses == missesBefore ? 1 : 0;
        return take();
      }
      slotsTaken += current.collect();
      if (current.top == 0) {
        replace(nextGroup());
      }
    }
  }

  /** Makes {@code next} the current group, and sets the one before aside. */
  private void replace(SlotGroup next) {
    SlotGroup before = current;
    current = next;
    next.becomeCurrent();
    before.becomeAside();
    if (before.isDead()) {
      return;
    }
    if (before.markFull()) {
      parked.add(before);
    } else if (!before.isDead()) {
      available.add(before); // what came meanwhile is collected when the group is used
    }
  }

  private SlotGroup nextGroup() {
    receiveNotices();
    SlotGroup next = available.first();
    if (next == null) {
      return nextFromArena();
    }
    available.remove(next);
    cache.markBusy(next);
    return next;
  }

  private SlotGroup nextFromArena() {
    if (isForRuns()) {
      return own(cache.newRack(sizeClass));
    }
    SlotGroup orphan = cache.arena.orphans[sizeClass].adopt(this);
    if (orphan != null) {
      misses++;
      adoptions++;
      slotsTaken += orphan.top;
      return orphan;
    }
    SlotGroup subpage = cache.newSubpage(this);
    misses++; // after success (seed row F2)
    slotsTaken += subpage.top;
    return subpage;
  }

  private SlotGroup own(SlotGroup group) {
    group.becomeOwned(this);
    return group;
  }

  /** Looks at the groups that other threads have released slots of. */
  private void receiveNotices() {
    Notice notice = notices.takeAll();
    while (notice != null) {
      SlotGroup group = notice.group;
      notice = notice.next; // before the group may send its notice again
      receive(group);
    }
  }

  private void receive(SlotGroup group) {
    int count = group.receive();
    slotsTaken += count;
    if (isForRuns()) {
      keepWithinBudget(group, count, 0);
    }
    if (group.list != parked) {
      return;
    }
    if (group.isDead()) {
      parked.remove(group);
    } else if (group.top > 0 || (isForRuns() && group.hasVacancy())) {
      parked.remove(group);
      available.add(group);
      if (!isForRuns() && group.top == group.slots && !cache.keepIdle(group)) {
        giveBack(group);
      }
    } else if (!group.markFull()) {
      parked.remove(group);
      available.add(group); // what came meanwhile is collected when the group is used
    }
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
    group.push(index);
    releases++;
    unpark(group);
    if (group.top == group.slots && group != current && !cache.keepIdle(group)) {
      giveBack(group);
    }
  }

  private void unpark(SlotGroup group) {
    if (group.list == parked) {
      group.unmarkFull();
      parked.remove(group);
      available.add(group);
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

  /** Pops a cached run. */
  Object takeRun() {
    SlotGroup rack = current;
    int top = rack.top - 1;
    if (top < 0) {
      return takeRunSlow();
    }
    rack.top = top;
    leastCached = Math.min(leastCached, top);
    int index = rack.stack[top];
    cache.cachedRunBytes -= slotBytes;
    Object bound = rack.bound[index];
    long count = ++allocations;
    if (bound == null || (count & cache.trimMask) == 0) {
      return takeRare(rack, index, bound);
    }
    return bound;
  }

  private Object takeRunSlow() {
    cache.trimIfDue();
    collectRuns(current);
    if (current.top > 0) {
      recoveries++;
      return takeRun();
    }
    receiveNotices();
    for (SlotGroup rack = available.first(); rack != null; rack = rack.nextInList) {
      collectRuns(rack);
      if (rack.top > 0) {
        available.remove(rack);
        replaceRack(rack);
        recoveries++;
        return takeRun();
      }
    }
    return takeNewRun();
  }

  /** Takes over remotely released runs, as many as the budget allows. */
  private void collectRuns(SlotGroup rack) {
    int count = rack.collect();
    slotsTaken += count;
    keepWithinBudget(rack, count, 1); // one is about to be taken
  }

  private void keepWithinBudget(SlotGroup rack, int added, int keep) {
    cache.cachedRunBytes += (long) added * slotBytes;
    long over = cache.cachedRunBytes - cache.pool.runBudgetBytes();
    if (over > 0 && rack.top > keep) {
      int drop = (int) Math.min(rack.top - keep, (over + slotBytes - 1) / slotBytes);
      dropRuns(rack, drop);
    }
  }

  private void dropRuns(SlotGroup rack, int count) {
    rack.vacateLowest(count);
    slotsTaken -= count;
    cache.cachedRunBytes -= (long) count * slotBytes;
  }

  private void replaceRack(SlotGroup next) {
    SlotGroup before = current;
    current = next;
    next.becomeCurrent();
    before.becomeAside();
    if (before.hasVacancy() || before.top > 0 || !before.markFull()) {
      available.add(before);
    } else {
      parked.add(before);
    }
  }

  private Object takeNewRun() {
    if (!current.hasVacancy()) {
      SlotGroup next = available.first();
      while (next != null && !next.hasVacancy()) {
        next = next.nextInList;
      }
      if (next == null) {
        next = nextFromArena();
      } else {
        available.remove(next);
      }
      replaceRack(next);
    }
    SlotGroup rack = current;
    Run run = cache.arena.takeRun(cache.pool.sizeClasses().runPages(sizeClass), rack);
    misses++; // after success (seed row F2)
    int index = rack.fill(run);
    rack.stack[rack.top] = (char) index; // where the sampler looks for the slot taken last
    allocations++;
    slotsTaken++;
    leastCached = 0;
    Object bound = rack.bound[index];
    if (bound == null) {
      return bind(rack, index);
    }
    return rebind(rack, index, bound);
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

  private void releaseRun(SlotGroup rack, int index) {
    releases++;
    unpark(rack);
    if (cache.cachedRunBytes + slotBytes <= cache.pool.runBudgetBytes()) {
      rack.push(index);
      cache.cachedRunBytes += slotBytes;
      return;
    }
    slotsTaken--;
    rack.vacate(index);
    dropIfVacant(rack);
  }

  private void dropIfVacant(SlotGroup rack) {
    if (rack != current && rack.isVacant() && rack.list == available) {
      available.remove(rack);
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
        collectRuns(group);
        dropRuns(group, group.top);
        dropIfVacant(group);
      } else {
        slotsTaken += group.collect();
        if (group.top == group.slots) {
          giveBack(group);
        }
      }
    }
    if (isForRuns()) {
      dropRuns(current, Math.min(leastCached, current.top));
      leastCached = current.top;
    }
  }

  /** The owner takes its groups back that it was taken out of. */
  void resume() {
    current.owner = cache.owner;
    resume(available); // nothing here wants memory: half a cache taken back would be lost
    resume(parked);
  }

  private void resume(GroupList groups) {
    for (SlotGroup group = groups.first(); group != null; group = group.nextInList) {
      group.owner = cache.owner;
    }
  }

  /** Leaves every group: to the next thread, to its chunk, or to the last who releases a slot. */
  void leave() {
    leaveGroup(current);
    for (SlotGroup group = available.first(); group != null; group = available.first()) {
      available.remove(group);
      leaveGroup(group);
    }
    for (SlotGroup group = parked.first(); group != null; group = parked.first()) {
      parked.remove(group);
      leaveGroup(group);
    }
  }

  private void leaveGroup(SlotGroup group) {
    group.idle = false;
    if (group.isDead()) {
      return;
    }
    if (group.isRack()) {
      group.leaveRack();
    } else {
      cache.arena.orphans[sizeClass].add(group);
    }
  }

  /** The slot that was handed out last lets go of its object. */
  void unbindLast() {
    SlotGroup group = current;
    group.unbind(group.stack[group.top]);
  }

  @Override
  public String toString() {
    return "bin of "
        + slotBytes
        + " B: taken "
        + slotsTaken
        + ", allocations "
        + allocations
        + ", releases "
        + releases;
  }
}
