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
 * Slots of one size class with one list of the free ones: a subpage, a rack, or the single slot of
 * an extent.
 *
 * <p>The owner keeps free slots in a list of indices that only it touches; the object of a slot
 * stays bound to it. So the owner allocates and releases without a lock, an atomic operation or a
 * store of a reference. Other threads push onto a list in {@link RemoteWord}, with one
 * compare-and-set; the owner takes that list as a whole when its own is empty.
 */
public final class SlotGroup extends SlotLists {
  private static final VarHandle REMOTE;
  private static final VarHandle OWNER;

  /**
   * A full subpage tells its owner once one in so many of its slots is back: at once, and the owner
   * would come for slot after slot while another thread still releases there.
   */
  private static final int SLOTS_FOR_EACH_NOTICED = 8;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(SlotGroup.class, "owner", Thread.class);
      REMOTE = MethodHandles.lookup().findVarHandle(SlotGroup.class, "remote", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  final BufferPool pool;
  final Arena arena;
  final int sizeClass;
  private final int slotBytes;

  /** A full group sends its notice once so many of its slots are back; at least 1. */
  private final int noticeAt;

  /** The run of each slot (rack, extent), or one run for all of them (subpage). */
  final @Nullable Run[] runs;

  /** By slot: the object bound to it. Written by who holds the slot. */
  final @Nullable Object[] bound;

  /**
   * The thread that allocates from here, null where there is none or where a lock stands for it.
   * Written by who has the group; a thread can read its own name here only if it wrote it. The
   * janitor may write null while the thread sleeps (docs/decisions/0007).
   */
  @Nullable Thread owner;

  /**
   * The shared cache that has the group, or null; written with {@link #owner}. Others read it as a
   * hint: under that cache's lock, unless it was given up, the group is surely its own.
   */
  private @Nullable ThreadCache shared;

  /** The owner's bin, written with {@link #owner} and read only where there is one. */
  @SuppressWarnings("NullAway.Init")
  Bin bin;

  /**
   * How many releases by the owner are nothing but a push, before one that the bin wants to know
   * of. A subpage set aside with something free has as many slots in use, less one; a rack what
   * {@link Bin#quietReleases} allows. Owner only.
   */
  private int untilEdge;

  /** See {@link RemoteWord}; by volatile reads and compare-and-set. */
  @SuppressWarnings("unused") // by its handle
  private volatile long remote;

  /** Written by the owner before it says FULL, read by others after they saw that. */
  private @Nullable Notice notice;

  /** How many slots were in use when the subpage became an orphan; guarded by the orphans' lock. */
  private int orphanUsed;

  /** Subpage: counted as idle in its thread cache; owner only. */
  boolean idle;

  /** The list this group is in; owner only, or guarded by the orphans' lock. */
  @Nullable GroupSet list;

  /** Where it is in {@link ParkedGroups}. */
  int placeParked;

  @Nullable SlotGroup previousInList;
  @Nullable SlotGroup nextInList;

  /** Set if a release failed: some links are pending. */
  private volatile boolean isPending;

  private SlotGroup(
      BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots, int runs) {
    super(slots);
    this.pool = pool;
    this.arena = arena;
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
    this.noticeAt = runs > 1 ? 1 : Math.max(1, slots / SLOTS_FOR_EACH_NOTICED);
    this.runs = new Run[runs];
    this.bound = new Object[slots];
  }

  /** Stands where a bin has no group yet: nothing is free, and no thread owns it. */
  static SlotGroup none(BufferPool pool, Arena arena) {
    return new SlotGroup(pool, arena, -1, 0, 0, 1);
  }

  /** A subpage, all its slots free, the first on top; its run is set with {@link #cut}. */
  static SlotGroup subpage(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    SlotGroup group = new SlotGroup(pool, arena, sizeClass, slotBytes, slots, 1);
    group.listAllFree();
    return group;
  }

  /** A rack without any run. */
  static SlotGroup rack(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    SlotGroup group = new SlotGroup(pool, arena, sizeClass, slotBytes, slots, slots);
    group.listAllVacant();
    return group;
  }

  /** The one slot of an extent, in use. */
  static SlotGroup extent(BufferPool pool, Arena arena, Run.Extent extent) {
    SlotGroup group = new SlotGroup(pool, arena, -1, extent.bytes(), 1, 1);
    group.runs[0] = extent;
    group.remote = RemoteWord.EXTENT;
    return group;
  }

  void cut(Run run) {
    runs[0] = run;
  }

  boolean isSubpage() {
    return runs.length == 1;
  }

  boolean isRack() {
    return runs.length > 1;
  }

  // ---- the memory of a slot

  /** Usable bytes of each slot: how far a buffer grows without moving. */
  public int slotBytes() {
    return slotBytes;
  }

  /** Whether the calling thread has these slots in its own cache. */
  public boolean isOwnedByCaller() {
    return owner == Thread.currentThread();
  }

  private Run run(int index) {
    Run run = isSubpage() ? runs[0] : runs[index];
    if (run == null) {
      throw new IllegalStateException("slot " + index + " has no memory");
    }
    return run;
  }

  /** The region that a held slot lies in. */
  public Region region(int index) {
    return run(index).region();
  }

  /** Where in its region a held slot begins, in bytes. */
  public int offset(int index) {
    int start = run(index).offset();
    return isSubpage() ? start + index * slotBytes : start;
  }

  /** The array of a held slot, or null for native memory. */
  public byte @Nullable [] base(int index) {
    return region(index).array();
  }

  /** The address of a held slot: absolute, or inside the object {@link #base}. */
  public long address(int index) {
    return region(index).address() + offset(index);
  }

  // ---- the object of a slot

  /** Makes a held slot let go of its object: the next holder of the slot gets a new one. */
  public void unbind(int index) {
    bound[index] = null;
  }

  /**
   * Exchanges the objects bound to two slots that the caller holds both. A buffer that outgrows its
   * slot keeps its identity so.
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
    for (int index = 0; index < slots; index++) {
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

  /** As {@link #release}, but the slot rests for a while before it is handed out again. */
  public void releaseAfterRest(int index) {
    try {
      StackRoom.require();
    } catch (StackOverflowError noStack) {
      release(index); // it does not rest
      return;
    }
    pool.quarantine().add(this, index);
    if (pool.isClosed()) {
      pool.quarantine().release(0); // nobody may come to let it out
    }
  }

  private void releaseOwned(int index) {
    if (!releaseQuietly(index)) {
      bin.releaseAtEdge(this, index);
    }
  }

  private void releaseAsOther(int index) {
    ThreadCache cache = shared;
    if (cache == null || !cache.tryRelease(this, index)) {
      releaseRemote(index);
    }
  }

  /** The owner's release, where that is nothing but a push; false where the bin wants to know. */
  boolean releaseQuietly(int index) {
    Bin bin = this.bin;
    int left = untilEdge - 1;
    if (left < 0) {
      left = bin.quietReleases(this) - 1;
      if (left < 0) {
        return false;
      }
    }
    // No call from here on: at the end of the stack, all of this is done or nothing.
    untilEdge = left;
    links[index] = (char) head;
    head = index + 1;
    bin.releases++;
    return true;
  }

  /**
   * Lists a slot of a subpage that is set aside, and counts its release; all of it or nothing.
   *
   * @param free how many slots are free then
   */
  void releaseAside(int index, int free) {
    links[index] = (char) head;
    head = index + 1;
    untilEdge = slots - 1 - free;
    bin.releases++;
  }

  /** Lists a slot of the subpage that is allocated from, and counts its release; or nothing. */
  void releaseCurrent(int index) {
    links[index] = (char) head;
    head = index + 1;
    untilEdge = Integer.MAX_VALUE;
    bin.releases++;
  }

  /**
   * Lists a run and counts its release; all of it or nothing. It was not among those that the
   * budget was asked for.
   */
  void releaseRun(int index) {
    links[index] = (char) head;
    head = index + 1;
    bin.current.untilEdge = 0;
    bin.releases++;
  }

  // ---- allocation, owner's side

  /**
   * Takes the slot that was released last, where that is all there is to do: nearly always. Two
   * stores, no lock, no atomic operation, no store of a reference. The owner's list is not empty.
   *
   * @param bytes what was asked for, for the figures and the sampler
   * @return the object bound to the slot, or null where more is to do: then nothing was changed
   */
  @Nullable Object take(int bytes) {
    int index = head - 1;
    Object object = bound[index];
    Bin bin = this.bin;
    long tally = Tally.plus(bin.tally, bytes);
    if (object == null || tally >= bin.quietUntil) {
      return null;
    }
    head = links[index];
    bin.tally = tally;
    return object;
  }

  /** How many slots are free in a subpage that is set aside. */
  int freeAside() {
    return head == 0 ? 0 : slots - 1 - untilEdge;
  }

  /** The bin allocates from here now: whatever comes back is simply listed. */
  void becomeCurrent() {
    untilEdge = isRack() ? 0 : Integer.MAX_VALUE;
  }

  /** Rack: what else was released or received here has used up room that was allowed before. */
  void askAgain() {
    untilEdge = 0;
  }

  /**
   * The bin allocates elsewhere: it wants to know of the first and of the last slot to come back.
   *
   * @param free how many slots the owner's list has
   */
  void becomeAside(int free) {
    untilEdge = isRack() || free == 0 ? 0 : slots - 1 - free;
  }

  private void releaseRemote(int index) {
    if (RemoteWord.state(remote) == RemoteWord.EXTENT) {
      pool.extents().release((Run.Extent) run(0));
      return;
    }
    pool.countRemoteRelease(this);
    links[index] = COUNTED; // if a later step fails, the release is repeated from here on
    listRemote(index);
  }

  /** Releases a slot whose release is counted. */
  private void listRemote(int index) {
    boolean mayGiveRun = isRack();
    for (; ; ) {
      long word = remote;
      int state = RemoteWord.state(word);
      if (mayGiveRun && (state == RemoteWord.LEFT || isRemoteListHeavy(word))) {
        mayGiveRun = false;
        giveRunReleased(index);
      } else if (state == RemoteWord.LEFT && !hasRun(index)) {
        links[index] = 0;
        return;
      } else if (pushRemote(word, index)) {
        return;
      }
    }
  }

  /** Puts a slot into the remote list, unless the word has changed. */
  private boolean pushRemote(long word, int index) {
    int state = RemoteWord.state(word);
    long pushed = RemoteWord.push(word, index, stateWithOneMore(word));
    boolean isNoticed = state == RemoteWord.FULL && RemoteWord.state(pushed) == RemoteWord.NOTIFIED;
    boolean isLast = state == RemoteWord.ORPHAN && RemoteWord.count(pushed) == orphanUsed;
    if (isNoticed || isLast) {
      StackRoom.require(); // for what follows the release
    }
    Notice toSend = isNoticed ? notice : null;
    links[index] = (char) RemoteWord.head(word);
    boolean isPushed;
    try {
      isPushed = REMOTE.compareAndSet(this, word, pushed);
    } catch (Throwable failed) {
      links[index] = COUNTED;
      throw failed;
    }
    if (!isPushed) {
      links[index] = COUNTED;
      return false;
    }
    if (toSend != null) {
      toSend.send();
    } else if (isLast) {
      retire();
    }
    return true;
  }

  /** The last slot is released, whatever happens here: what fails, the maintenance thread does. */
  private void retire() {
    try {
      arena.orphans[sizeClass].retire(this);
    } catch (RuntimeException | Error failed) {
      pool.pendingReleases.addFailure(failed);
    }
  }

  /** If the run cannot be given back, its slot is released all the same; see revokeReleased. */
  private void giveRunReleased(int index) {
    StackRoom.require();
    try {
      giveRun(index);
    } catch (RuntimeException | Error failed) {
      pool.pendingReleases.addFailure(failed);
    }
  }

  /** The state of the group once another slot is listed. */
  private int stateWithOneMore(long word) {
    int state = RemoteWord.state(word);
    return state == RemoteWord.FULL && RemoteWord.count(word) + 1 >= noticeAt
        ? RemoteWord.NOTIFIED
        : state;
  }

  /**
   * Runs that wait for an owner who may sleep: in each rack one, of up to the whole budget, or as
   * many as come to a part of the budget, which the last of them may pass.
   */
  private boolean isRemoteListHeavy(long word) {
    int count = RemoteWord.count(word);
    return count == 0
        ? slotBytes > pool.runBudgetBytes()
        : (long) count * slotBytes >= pool.remoteRunBytes();
  }

  // ---- the owner's side

  /**
   * Takes over what other threads released; what of it has a run goes into the owner's list. The
   * state stays: where a notice is under way, the group must not be marked full before it has come.
   *
   * @return how many slots came into the list
   */
  int collect() {
    long word = remote;
    while (RemoteWord.head(word) != 0 && RemoteWord.state(word) != RemoteWord.DEAD) {
      if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.state(word)))) {
        return listAll(word);
      }
      word = remote;
    }
    return 0;
  }

  /**
   * Takes over what other threads released, now that their notice has come.
   *
   * @return how many slots came into the list
   */
  int receive() {
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) != RemoteWord.NOTIFIED) {
        return 0;
      }
      if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
        return listAll(word);
      }
    }
  }

  /** Puts a remote list that was taken into the owner's; where that is empty, as it stands. */
  private int listAll(long word) {
    int first = RemoteWord.head(word);
    if (head == 0 && isSubpage()) {
      head = first;
      return RemoteWord.count(word);
    }
    int listed = 0;
    while (first != 0) {
      int index = first - 1;
      first = links[index];
      if (isRack() && runs[index] == null) {
        addVacant(index);
      } else {
        push(index);
        listed++;
      }
    }
    return listed;
  }

  /**
   * Says that nothing is free here, or too little for a notice; where one is under way, it will
   * come for the next release too. Nothing takes that back when the owner itself releases a slot:
   * the notice that another thread may then send is one too many, and costs less than two exchanges
   * each time that a group is set aside.
   *
   * @return false where enough for a notice has just been released, or the janitor has taken the
   *     subpage
   */
  boolean markFull() {
    long word = remote;
    if (RemoteWord.count(word) >= noticeAt || RemoteWord.state(word) == RemoteWord.DEAD) {
      return false;
    }
    return RemoteWord.state(word) != RemoteWord.OWNED // FULL still, or NOTIFIED
        || REMOTE.compareAndSet(this, word, RemoteWord.inState(word, RemoteWord.FULL));
  }

  boolean isDead() {
    return RemoteWord.state(remote) == RemoteWord.DEAD;
  }

  /** Takes a new group, or an orphan under the orphans' lock, into a bin. */
  void becomeOwned(Bin owner) {
    notice = new Notice(owner, this); // may fail: nothing has changed yet
    this.bin = owner;
    for (; ; ) {
      long word = remote;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.OWNED))) {
        listAll(word);
        break;
      }
    }
    becomeAside(isSubpage() ? countFree() : 0);
    this.owner = owner.cache.owner;
    this.shared = owner.cache.owner == null ? owner.cache : null;
  }

  // ---- orphans; under the orphans' lock

  /**
   * Leaves the subpage without an owner. The answer is not a class of its own: once the word is
   * exchanged nothing may be used for the first time, since loading it may find no memory.
   *
   * @return false where it is dead, since all its slots are free or the janitor has taken it: then
   *     the caller gives its run back
   */
  boolean becomeOrphan() {
    disown();
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) == RemoteWord.DEAD) {
        return false;
      }
      if (RemoteWord.head(word) != 0) {
        if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
          listAll(word);
        }
        continue;
      }
      orphanUsed = slots - countFree();
      int next = orphanUsed == 0 ? RemoteWord.DEAD : RemoteWord.ORPHAN;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, next))) {
        return orphanUsed != 0;
      }
    }
  }

  @SuppressWarnings("NullAway") // see the field: without an owner nobody reads the bin
  private void disown() {
    owner = null;
    shared = null;
    bin = null;
    notice = null;
  }

  boolean hasFreeOrphanSlot() {
    return head != 0 || RemoteWord.head(remote) != 0;
  }

  boolean isFreeOrphan() {
    long word = remote;
    return RemoteWord.state(word) == RemoteWord.ORPHAN && RemoteWord.count(word) == orphanUsed;
  }

  /** No slot is in use, so that nobody else changes the word any more. */
  void die() {
    remote = RemoteWord.handedOver(remote, RemoteWord.DEAD);
  }

  /**
   * Gives a dead subpage's memory back and lets go of the objects bound to it. Any thread may do so
   * again: where it fails, the janitor does.
   */
  void giveRunBack() {
    Arrays.fill(bound, null);
    giveRun(0);
  }

  // ---- racks; owner's side

  /** Puts a run into a vacant place, which the caller then holds. */
  int fill(Run run) {
    int index = takeVacant();
    runs[index] = run;
    return index;
  }

  /** Gives the run of a held slot back and leaves its place vacant; or lists it, if that fails. */
  void vacate(int index) {
    try {
      giveRun(index);
    } finally {
      if (hasRun(index)) {
        push(index);
      } else {
        addVacant(index);
      }
    }
  }

  boolean hasRun(int index) {
    return runs[index] != null;
  }

  /** Gives the runs back that have been in the owner's list longest, all but {@code keep}. */
  void vacateOldest(int keep) {
    int last = 0;
    int next = head;
    for (int i = 0; i < keep && next != 0; i++) {
      last = next;
      next = links[next - 1];
    }
    while (next != 0) {
      int index = next - 1;
      next = links[index];
      if (last == 0) { // out of the list one by one: where one fails, the rest stays in it
        head = next;
      } else {
        links[last - 1] = (char) next;
      }
      vacate(index);
    }
  }

  /** The owner leaves: free runs go back now, the others when they are released. */
  void leaveRack() {
    disown();
    for (; ; ) {
      long word = remote;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.LEFT))) {
        listAll(word);
        vacateOldest(0);
        return;
      }
    }
  }

  private void giveRun(int index) {
    arena.giveRun(this, index);
  }

  // ---- the janitor's side

  /** From now on the owner releases as any other thread does, which is always right. */
  void disownIdle() {
    OWNER.setOpaque(this, null);
  }

  /**
   * Takes memory back that other threads released and the owner has not come for: a full subpage
   * whose every slot was released remotely, and the runs on a rack's remote list. The owner's
   * private state is not touched; who of the two changes the word first has it. Also takes back
   * what somebody was to give back and failed to, or is just about to.
   */
  void revokeReleased() {
    long word = remote;
    if (isRack()) {
      revokeRuns(word);
    } else if (RemoteWord.state(word) == RemoteWord.DEAD) {
      giveRunBack();
    } else if (isFreeOrphan()) {
      arena.orphans[sizeClass].retire(this);
    } else if (RemoteWord.state(word) == RemoteWord.NOTIFIED
        && RemoteWord.count(word) == slots
        && REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.DEAD))) {
      giveRunBack();
    }
  }

  private void revokeRuns(long word) {
    int state = RemoteWord.state(word);
    if (RemoteWord.head(word) == 0
        || state == RemoteWord.DEAD
        || !REMOTE.compareAndSet(this, word, RemoteWord.taken(word, state))) {
      return;
    }
    Throwable failed = null;
    for (int next = RemoteWord.head(word); next != 0; ) { // to its end: nobody else has it
      int index = next - 1;
      next = links[index];
      try {
        giveRun(index);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
      returnVacant(index);
    }
    Failures.rethrow(failed);
  }

  /** Lists a place without a run for the owner; the slot was released and counted before. */
  private void returnVacant(int index) {
    for (; ; ) {
      long word = remote;
      int state = RemoteWord.state(word);
      if (state == RemoteWord.LEFT && !hasRun(index)) {
        return;
      }
      if (pushRemote(word, index)) {
        return;
      }
    }
  }

  /**
   * Takes the run out of its place; null where none is there any more. The object bound there must
   * not keep a heap chunk alive. Under the arena's lock: who has failed to get it, still has the
   * run.
   */
  Run.@Nullable Pages letGo(int index) {
    Run.@Nullable Pages run = (Run.Pages) runs[index];
    runs[index] = null;
    if (run != null && run.region().array() != null) {
      bound[index] = null;
    }
    return run;
  }

  // ---- checks; at rest

  int remoteState() {
    return RemoteWord.state(remote);
  }

  int remoteCount() {
    return RemoteWord.count(remote);
  }

  /** Whether the owner should have been told of what is in the remote list. */
  boolean hasUnannounced() {
    long word = remote;
    return RemoteWord.state(word) == RemoteWord.FULL && RemoteWord.count(word) >= noticeAt;
  }

  /** What the subpage holds; the free slots are read while their owner moves them. */
  SubpageFigures figures() {
    int free = Math.min(slots, countFreeRacy() + remoteCount());
    Run run = runs[0];
    return new SubpageFigures(slotBytes, slots, free, run == null ? 0 : run.bytes());
  }

  /** The free slots in the owner's list and in the remote list, each exactly once. */
  boolean[] freeSlots() {
    return freeSlots(RemoteWord.head(remote), remoteCount());
  }

  @Override
  public String toString() {
    String kind = isRack() ? "rack" : "subpage";
    return kind + " of " + slots + " x " + slotBytes + " B, first free " + (head - 1);
  }
}
