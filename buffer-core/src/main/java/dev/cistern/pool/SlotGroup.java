/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import dev.cistern.stats.SubpageFigures;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of one size class with one list of the free ones: a subpage, which cuts a run of pages into
 * slots; a whole run, which is one slot; or an extent, which is one slot, too.
 *
 * <p>The owner keeps free slots in a list of indices that only the owner touches; the object of a
 * slot stays bound to it. So the owner allocates and releases without a lock, an atomic operation
 * or a store of a reference.
 */
public final class SlotGroup extends RemoteSlots {
  private static final VarHandle OWNER;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(SlotLists.class, "owner", Thread.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  final BufferPool pool;
  final Arena arena;
  final int sizeClass;
  private final int slotBytes;

  /** The memory of all slots; set before the first slot is allocated. */
  private @Nullable Run run;

  /**
   * The shared cache that has the group, or null; written with {@link #owner}. Other threads read
   * it as a hint: under that cache's lock, unless it was replaced, the group is surely its own.
   */
  private @Nullable ThreadCache shared;

  /** The owner's bin, written with {@link #owner} and read only if there is an owner. */
  @SuppressWarnings("NullAway.Init")
  Bin bin;

  // Owner only, or guarded by the orphans' lock:

  /** The bytes of the group are counted as idle in its thread cache. */
  boolean isIdle;

  /** All slots were free at the last trim, and none was allocated since. */
  boolean hasBeenIdle;

  /** The set that this group is in, and its place there. */
  @Nullable GroupSet set;

  int place;

  // Guarded by the arena's lock:

  /** The group may be used again for the same run. */
  boolean isReusable;

  /** The group has its run; read without the lock as a hint. */
  boolean hasRun;

  /** Set if a release failed: some links are pending. */
  private volatile boolean isPending;

  private SlotGroup(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    super(slots);
    this.pool = pool;
    this.arena = arena;
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
    listAllFree();
  }

  /** Returns a group without a slot, for a bin that has none: no thread owns it. */
  static SlotGroup none(BufferPool pool, Arena arena) {
    return new SlotGroup(pool, arena, -1, 0, 0);
  }

  /** Returns a group of free slots, the first on top; {@link #cut} sets its run. */
  static SlotGroup make(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    return new SlotGroup(pool, arena, sizeClass, slotBytes, slots);
  }

  /** Returns the one slot of an extent, in use. */
  static SlotGroup extent(BufferPool pool, Arena arena, Run.Extent extent) {
    SlotGroup group = new SlotGroup(pool, arena, -1, extent.bytes(), 1);
    group.head = 0;
    group.run = extent;
    group.remote = RemoteWord.EXTENT;
    return group;
  }

  void cut(Run newRun) {
    run = newRun;
  }

  boolean isSubpage() {
    return slots > 1;
  }

  boolean isWholeRun() {
    return slots == 1 && sizeClass >= 0;
  }

  // ---- the memory of a slot

  /** Usable bytes of each slot: how far a buffer grows without moving. */
  public int slotBytes() {
    return slotBytes;
  }

  /** Returns the bytes of all slots. */
  long bytes() {
    return (long) slots * slotBytes;
  }

  /** Returns whether the calling thread has these slots in its own cache. */
  public boolean isOwnedByCaller() {
    return owner == Thread.currentThread();
  }

  /** Returns the run of the slots; it stays the same, also when it goes back to its chunk. */
  Run run() {
    Run run = this.run;
    if (run == null) {
      throw new IllegalStateException("the group has no memory");
    }
    return run;
  }

  /** Returns the region that the slots lie in. */
  public Region region() {
    return run().region();
  }

  /**
   * Returns where in its region a slot begins, in bytes.
   *
   * @param index of the slot, from 1
   */
  public int offset(int index) {
    return run().offset() + (index - 1) * slotBytes;
  }

  /** Returns the array that the slots lie in, or null for native memory. */
  public byte @Nullable [] base() {
    return region().array();
  }

  /** Returns the address of a slot: absolute, or inside the array {@link #base}. */
  public long address(int index) {
    return region().address() + offset(index);
  }

  // ---- the object of a slot

  /** Removes the object of a held slot: the next holder of the slot gets a new one. */
  public void unbind(int index) {
    bound[index] = null;
  }

  /**
   * Exchanges the objects bound to two slots, both of which the caller holds. So a buffer that
   * outgrows its slot keeps its identity.
   */
  public static void exchange(SlotGroup a, int indexA, SlotGroup b, int indexB) {
    Object boundToA = a.bound[indexA];
    a.bound[indexA] = b.bound[indexB];
    b.bound[indexB] = boundToA;
  }

  // ---- release

  /**
   * Gives a held slot back, from any thread, exactly once for each allocation. Throws nothing: if
   * the release fails, the maintenance thread repeats it.
   */
  public void release(int index) {
    try {
      if (owner == Thread.currentThread()) {
        releaseOwned(index);
      } else {
        releaseAsOther(index);
      }
    } catch (Throwable failed) { // the slot is not released
      // No call and no monitor here: the interpreter checks the stack at both.
      links[index] = links[index] == COUNTED ? PENDING_COUNTED : PENDING;
      isPending = true;
      pool.pendingReleases.cause = failed;
      pool.pendingReleases.isAny = true;
    }
  }

  /**
   * Finishes releases that failed, of slots that no thread holds any more. A release that fails
   * again is pending again.
   */
  void finishReleases() {
    if (!isPending) {
      return;
    }
    isPending = false; // before the links are read: a release that fails meanwhile sets it again
    for (int index = 1; index <= slots; index++) {
      char state = pool.pendingReleases.take(links, index);
      if (state == PENDING) {
        release(index);
      } else if (state == PENDING_COUNTED) {
        listCounted(index);
      }
    }
  }

  private void listCounted(int index) {
    links[index] = COUNTED;
    try {
      listRemote(index);
    } catch (RuntimeException | Error failed) {
      links[index] = PENDING_COUNTED;
      isPending = true;
      pool.pendingReleases.cause = failed;
      pool.pendingReleases.isAny = true;
    }
  }

  /** As {@link #release}, but the slot stays in quarantine before it is allocated again. */
  public void releaseToQuarantine(int index) {
    try {
      StackRoom.require();
    } catch (StackOverflowError noStack) {
      release(index); // without quarantine
      return;
    }
    pool.quarantine.add(this, index);
    if (pool.isClosed()) {
      pool.quarantine.release(0); // no tick may come that lets it out
    }
  }

  private void releaseOwned(int index) {
    if (!tryReleaseFast(index)) {
      SlowPath.releaseSlow(bin, this, index);
    }
  }

  private void releaseAsOther(int index) {
    ThreadCache cache = shared;
    if (cache == null || !cache.tryRelease(this, index)) {
      releaseRemote(index);
    }
  }

  /** The owner's release, if it is nothing but a push; false if the bin has to see it. */
  boolean tryReleaseFast(int index) {
    int left = fastReleasesLeft - 1;
    if (left < 0) {
      return false;
    }
    // No call in this method: at the end of the stack, all of it is done or nothing.
    fastReleasesLeft = left;
    links[index] = (char) head;
    head = index;
    counters.releases++;
    return true;
  }

  /**
   * Lists a slot that the owner releases, and counts its release; all of it or nothing.
   *
   * @param fastReleaseLimit how many more releases are nothing but a push
   */
  void releaseListed(int index, int fastReleaseLimit) {
    fastReleasesLeft = fastReleaseLimit;
    links[index] = (char) head;
    head = index;
    counters.releases++;
  }

  private void releaseRemote(int index) {
    if (remoteState() == RemoteWord.EXTENT) {
      pool.extents().release((Run.Extent) run());
      return;
    }
    pool.countRemoteRelease(this);
    links[index] = COUNTED; // if a later step fails, the release is repeated from here on
    listRemote(index);
  }

  @Override
  void retireOrphan() {
    try {
      retire();
    } catch (RuntimeException | Error failed) { // the maintenance thread does it
      pool.pendingReleases.addFailure(failed);
    }
  }

  private void retire() {
    if (isSubpage()) {
      arena.orphans[sizeClass].retire(this);
    } else {
      markFreed();
      freeRun(false);
    }
  }

  /** Frees the run at once if too many runs wait for an owner that may sleep. */
  @Override
  void announce(@Nullable Notice notice) {
    try {
      int waiting = notice == null ? 1 : notice.send();
      if (isWholeRun() && pool.isOverRemoteBudget(waiting, slotBytes)) {
        revokeReleased();
      }
    } catch (RuntimeException | Error failed) { // the maintenance thread does it
      pool.pendingReleases.addFailure(failed);
    }
  }

  // ---- the owner's side

  /**
   * Takes the slot that was released last, if that is all there is to do: nearly always. Two
   * stores, no lock, no atomic operation, no store of a reference.
   *
   * @param bytes what was requested, for the figures and the sampler
   * @return the object bound to the slot, or null if no slot is free or more is to do: then nothing
   *     was changed
   */
  @Nullable Object take(int bytes) {
    int index = head;
    Object object = bound[index];
    BinCounters counters = this.counters;
    long tally = counters.tally + (BinCounters.ONE_ALLOCATION + bytes);
    if (object == null || tally >= counters.fastPathLimit) {
      return null;
    }
    head = links[index];
    counters.tally = tally;
    return object;
  }

  /** Returns how many slots are free in a group that is set aside. */
  int freeWhenNotCurrent() {
    return head == 0 ? 0 : slots - 1 - fastReleasesLeft;
  }

  /**
   * Marks the group as set aside: its bin has to see the first and the last slot that is released.
   *
   * @param free how many slots the owner's list has
   */
  void markNotCurrent(int free) {
    fastReleasesLeft = free == 0 ? 0 : slots - 1 - free;
  }

  /**
   * Marks the group as the one that its bin allocates from.
   *
   * @param isFast whether each release is nothing but a push; otherwise the bin sees the next one
   */
  void markCurrent(boolean isFast) {
    fastReleasesLeft = isFast ? ALL_FAST : 0;
  }

  /** Takes a new group, an orphan under the orphans' lock, or a kept run, into a bin. */
  void becomeOwned(Bin newBin) {
    handOverTo(newBin);
    bin = newBin;
    counters = newBin.counters;
    markNotCurrent(countFree());
    Thread newOwner = newBin.cache.owner; // not read back: the maintenance thread may remove it
    owner = newOwner;
    shared = newOwner == null ? newBin.cache : null;
  }

  /** Uses a dead whole run again, with the object that is bound to it; under the arena's lock. */
  void reuse(Bin newBin) {
    listAllFree();
    becomeOwned(newBin); // may fail: the group is dead still
    isReusable = false;
  }

  /** Removes the owner, which does not use the group any more. */
  @SuppressWarnings("NullAway") // see the fields: without an owner no thread reads the bin
  void disown() {
    owner = null;
    shared = null;
    bin = null;
    counters = null;
  }

  /**
   * Gives a dead group's memory back, and the objects bound to it. Any thread may do so again: if
   * it fails, the maintenance thread does.
   *
   * @param isOwners whether the caller is the owner, so that no other thread knows the group
   */
  void freeRun(boolean isOwners) {
    if (isSubpage()) {
      Arrays.fill(bound, null);
    }
    arena.freeRun(this, isOwners);
  }

  // ---- the maintenance thread's side

  /**
   * Removes the name of an owner that sleeps: from now on it releases as any other thread does. A
   * group that another thread has taken meanwhile keeps its owner.
   */
  void disownIdle(@Nullable Thread sleeping) {
    OWNER.compareAndSet(this, sleeping, null);
  }

  /**
   * Takes memory back that other threads released and the owner has not received. Also takes back
   * what a thread was to give back and failed to, or is just about to.
   */
  void revokeReleased() {
    if (isFreed() || tryMarkFreed()) {
      if (hasRun) {
        freeRun(false);
      }
    } else if (isFreeOrphan()) {
      retire();
    }
  }

  /** Returns what the subpage holds; the free slots are read while their owner moves them. */
  SubpageFigures figures() {
    int free = Math.min(slots, countFreeRacy() + remoteCount());
    return new SubpageFigures(slotBytes, slots, free, run().bytes());
  }

  @Override
  public String toString() {
    String kind = isSubpage() ? "subpage" : isWholeRun() ? "run" : "extent";
    return kind + " of " + slots + " x " + slotBytes + " B, first free " + head;
  }
}
