/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ChunkUse;
import dev.cistern.memory.Region;
import dev.cistern.stats.SubpageStats;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one size class that share a list of free slots. A group is a subpage, which cuts a
 * run of pages into slots, or a whole run, which is one slot, or an extent, which is also one slot.
 *
 * <p>Only the owner accesses the list of free slots, which consists of indices. The object of a
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
   * it as a hint. The hint is right if the reader holds that cache's lock and the cache was not
   * replaced.
   */
  private @Nullable ThreadCache shared;

  /**
   * The bin that has the group, or null; written with {@link #owner}. The maintenance thread also
   * reads it, for any group and without a lock.
   */
  @SuppressWarnings("NullAway.Init")
  Bin bin;

  // Only the owner accesses the fields below, or a thread that holds the lock of Orphans:

  /** Whether the thread cache counts the bytes of the group as idle. */
  boolean isIdle;

  /** Whether all slots were free at the last trim, and none was allocated since. */
  boolean hasBeenIdle;

  /** The set that contains this group, and the group's place in it. */
  @Nullable GroupSet set;

  int place;

  // The lock of the arena guards the fields below:

  /** Whether the group can be reused for the same run. */
  boolean isReusable;

  /** Whether the group has its run; read without the lock as a hint. */
  boolean hasRun;

  /** Whether a release failed, so that some links are pending. */
  private volatile boolean isPending;

  private SlotGroup(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    super(slots);
    this.pool = pool;
    this.arena = arena;
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
    listAllFree();
  }

  /** Returns a group without slots and without an owner, for a bin that has no group. */
  static SlotGroup none(BufferPool pool, Arena arena) {
    return new SlotGroup(pool, arena, -1, 0, 0);
  }

  /** Returns a group of free slots, the first slot on top; {@link #cut} sets its run. */
  static SlotGroup make(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    return new SlotGroup(pool, arena, sizeClass, slotBytes, slots);
  }

  /** Returns the one slot of an extent, in use. */
  static SlotGroup extent(BufferPool pool, Arena arena, Run.Extent extent) {
    SlotGroup group = new SlotGroup(pool, arena, -1, extent.bytes(), 1);
    group.head = 0;
    group.run = extent;
    group.remote = RemoteFreeList.EXTENT;
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

  /** Returns the usable bytes of each slot: a buffer grows up to this size without moving. */
  public int slotBytes() {
    return slotBytes;
  }

  /** Returns the bytes of all slots. */
  long bytes() {
    return (long) slots * slotBytes;
  }

  /** Returns whether the group belongs to the calling thread's own cache. */
  public boolean isOwnedByCaller() {
    return owner == Thread.currentThread();
  }

  /** Returns the run of the slots. It never changes, not even when the run is freed. */
  Run run() {
    Run run = this.run;
    if (run == null) {
      throw new IllegalStateException("the group has no memory");
    }
    return run;
  }

  /** Returns the region that contains the slots. */
  public Region region() {
    return run().region();
  }

  /**
   * Returns the offset of a slot in its region, in bytes.
   *
   * @param index index of the slot, from 1
   */
  public int offset(int index) {
    return run().offset() + (index - 1) * slotBytes;
  }

  /** Returns the array that contains the slots, or null for native memory. */
  public byte @Nullable [] base() {
    return region().array();
  }

  /** Returns the address of a slot: absolute, or relative to the array {@link #base}. */
  public long address(int index) {
    return region().address() + offset(index);
  }

  /**
   * Returns the use of the chunk that contains the slots, by pages; null for an extent, which has
   * no chunk. Any thread may call it: it reads the number of free pages without the arena's lock,
   * so the number may be outdated.
   */
  public @Nullable ChunkUse chunkUse() {
    if (!(run instanceof Run.Pages pages)) {
      return null;
    }
    Chunk chunk = pages.chunk;
    long usedPages = (long) chunk.pages - chunk.freePages();
    return new ChunkUse(chunk, usedPages * chunk.pageBytes, (long) chunk.pages * chunk.pageBytes);
  }

  // ---- the object of a slot

  /** Removes the object of a slot that the caller holds: the next holder gets a new object. */
  public void unbind(int index) {
    bound[index] = null;
  }

  /** Exchanges the objects of two slots, both of which the caller holds. */
  static void exchange(SlotGroup a, int indexA, SlotGroup b, int indexB) {
    Object boundToA = a.bound[indexA];
    a.bound[indexA] = b.bound[indexB];
    b.bound[indexB] = boundToA;
  }

  // ---- release

  /**
   * Releases a slot that the caller holds, exactly once for each allocation. Any thread may call
   * it. Throws nothing: if the release fails, the maintenance thread repeats it.
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
   * Finishes the releases of this group that failed. No thread holds these slots any more. A
   * release that fails again is pending again.
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

  /** Releases a slot as {@link #release} does, but only after some time in quarantine. */
  public void releaseToQuarantine(int index) {
    try {
      StackRoom.require();
    } catch (StackOverflowError noStack) {
      release(index); // without quarantine
      return;
    }
    pool.quarantine.add(this, index);
    if (pool.isClosed()) {
      pool.quarantine.release(0); // a closed pool may have no further tick that does this
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

  /** Releases a slot as the owner on the fast path; returns false if the slow path must do it. */
  boolean tryReleaseFast(int index) {
    int left = fastReleasesLeft - 1;
    if (left < 0) {
      return false;
    }
    // No call in this method: a stack overflow leaves all of it done, or nothing.
    BinCounters counters = this.counters;
    long releases = counters.releases + 1;
    fastReleasesLeft = left;
    links[index] = (char) head;
    head = index;
    counters.releases = releases;
    return true;
  }

  /**
   * Lists a slot that the owner releases, and counts its release. A failure changes nothing.
   *
   * @param fastReleaseLimit number of further releases on the fast path
   */
  void releaseListed(int index, int fastReleaseLimit) {
    fastReleasesLeft = fastReleaseLimit;
    links[index] = (char) head;
    head = index;
    counters.releases++;
  }

  private void releaseRemote(int index) {
    if (remoteState() == RemoteFreeList.EXTENT) {
      pool.extents.release((Run.Extent) run());
      return;
    }
    pool.countRemoteRelease(this);
    links[index] = COUNTED; // if a later step fails, the release is repeated from here
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

  /** Sends the notice. Frees the run at once if too many runs wait for an owner that may sleep. */
  @Override
  void announce(@Nullable RemoteFreeNotice notice) {
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
   * Allocates the slot that was released last, on the fast path. This takes two stores, and no
   * lock, atomic operation or store of a reference.
   *
   * @param bytes the requested bytes, for the counters and the sampler
   * @return the object bound to the slot; null, without any change, if no slot is free or if the
   *     slow path must do it
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

  /** Returns the number of free slots of a group that is not current. */
  int freeWhenNotCurrent() {
    return head == 0 ? 0 : slots - 1 - fastReleasesLeft;
  }

  /**
   * Marks the group as not current: the release of its first and of its last slot takes the slow
   * path.
   *
   * @param free number of slots in the owner's list
   */
  void markNotCurrent(int free) {
    fastReleasesLeft = free == 0 ? 0 : slots - 1 - free;
  }

  /**
   * Marks the group as the current group of its bin.
   *
   * @param isFast whether all releases take the fast path; otherwise the next one does not
   */
  void markCurrent(boolean isFast) {
    fastReleasesLeft = isFast ? ALL_FAST : 0;
  }

  /**
   * Makes a bin the owner of a new group, of an orphan (under the lock of Orphans), or of a reused
   * run.
   */
  void becomeOwned(Bin newBin) {
    handOverTo(newBin);
    bin = newBin;
    counters = newBin.counters;
    markNotCurrent(countFree());
    Thread newOwner = newBin.cache.owner; // not read back: the maintenance thread may remove it
    owner = newOwner;
    shared = newOwner == null ? newBin.cache : null;
  }

  /**
   * Reuses a freed whole run with the object that is bound to it. The caller holds the arena's
   * lock.
   */
  void reuse(Bin newBin) {
    listAllFree();
    becomeOwned(newBin); // if this fails, the group is still freed
    isReusable = false;
  }

  /** Removes the owner, which no longer uses the group. */
  @SuppressWarnings("NullAway") // no thread reads the bin of a group without an owner
  void disown() {
    owner = null;
    shared = null;
    bin = null;
    counters = null;
  }

  /**
   * Frees the run of a freed group. A subpage loses the objects of its slots; a whole run keeps its
   * object, to be reused with it. Any thread may repeat this: if it fails, the maintenance thread
   * does.
   *
   * @param isOwners whether the caller is the owner, and no other thread has a reference to the
   *     group
   */
  void freeRun(boolean isOwners) {
    if (isSubpage()) {
      Arrays.fill(bound, null);
    }
    arena.freeRun(this, isOwners);
  }

  // ---- the maintenance thread's side

  /**
   * Removes an owner that sleeps: from now on it releases as any other thread does. A group that
   * another thread has taken meanwhile keeps its owner.
   */
  void disownIdle(@Nullable Thread sleeping) {
    OWNER.compareAndSet(this, sleeping, null);
  }

  /**
   * Frees memory that other threads released and the owner has not received. Also frees memory that
   * another thread failed to free, or is about to free.
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

  /** Returns the subpage's usage. The free slots are read while the owner may move them. */
  SubpageStats stats() {
    int free = Math.min(slots, countFreeRacy() + remoteCount());
    return new SubpageStats(slotBytes, slots, free, run().bytes());
  }

  @Override
  public String toString() {
    String kind = isSubpage() ? "subpage" : isWholeRun() ? "run" : "extent";
    return kind + " of " + slots + " x " + slotBytes + " B, first free " + head;
  }
}
