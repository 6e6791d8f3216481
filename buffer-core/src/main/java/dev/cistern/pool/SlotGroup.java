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
 * <p>The owner keeps free slots as indices on a stack that only it touches; the object of a slot
 * stays bound to it. So the owner allocates and releases without a lock, an atomic operation or a
 * store of a reference. Other threads push onto a list in {@link RemoteWord}, with one
 * compare-and-set; the owner takes that list as a whole when its stack is empty.
 */
public final class SlotGroup {
  private static final VarHandle REMOTE;
  private static final VarHandle OWNER;

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
  final int slots;

  /** The run of each slot (rack, extent), or one run for all of them (subpage). */
  final @Nullable Run[] runs;

  /** By slot: the object bound to it. Written by who holds the slot. */
  final @Nullable Object[] bound;

  /** Free slots; written and read by the owner. */
  final char[] stack;

  /** How many slots are on the stack; written by the owner, read by it and, at rest, by checks. */
  int top;

  /**
   * The thread that allocates from here, null where there is none or where a lock stands for it.
   * Written by who has the group; a thread can read its own name here only if it wrote it. The
   * janitor may write null while the thread sleeps (docs/decisions/0007).
   */
  @Nullable Thread owner;

  /** The owner's bin, written with {@link #owner} and read only where there is one. */
  @SuppressWarnings("NullAway.Init")
  Bin bin;

  // An owned release is plain while quietFrom <= top < quietFrom + quietCount; written by the
  // owner.
  private int quietFrom;
  private int quietCount;

  /** Rack: places without a run, as a stack; owner only. */
  private final char[] vacant;

  private int vacantTop;

  /** Links of the remote list; an entry is written by who releases that slot. */
  private final char[] nextRemote;

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
  @Nullable GroupList list;

  @Nullable SlotGroup previousInList;
  @Nullable SlotGroup nextInList;

  private SlotGroup(
      BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots, int runs) {
    this.pool = pool;
    this.arena = arena;
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
    this.slots = slots;
    this.runs = new Run[runs];
    this.bound = new Object[slots];
    this.stack = new char[slots];
    this.nextRemote = new char[slots];
    this.vacant = runs > 1 ? new char[slots] : stack;
  }

  /** A subpage, all its slots free, the first on top; its run is set with {@link #cut}. */
  static SlotGroup subpage(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    SlotGroup group = new SlotGroup(pool, arena, sizeClass, slotBytes, slots, 1);
    for (int i = 0; i < slots; i++) {
      group.stack[i] = (char) (slots - 1 - i);
    }
    group.top = slots;
    return group;
  }

  /** A rack without any run. */
  static SlotGroup rack(BufferPool pool, Arena arena, int sizeClass, int slotBytes, int slots) {
    SlotGroup group = new SlotGroup(pool, arena, sizeClass, slotBytes, slots, slots);
    for (int i = 0; i < slots; i++) {
      group.vacant[i] = (char) (slots - 1 - i);
    }
    group.vacantTop = slots;
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

  /** Gives a held slot back, from any thread, exactly once for each allocation. */
  public void release(int index) {
    if (owner == Thread.currentThread()) {
      releaseOwned(index);
    } else {
      releaseRemote(index);
    }
  }

  private void releaseOwned(int index) {
    Bin bin = this.bin;
    int top = this.top;
    if (Integer.compareUnsigned(top - quietFrom, quietCount) < 0) {
      stack[top] = (char) index;
      this.top = top + 1;
      bin.releases++;
    } else {
      bin.releaseAtEdge(this, index);
    }
  }

  void push(int index) {
    stack[top++] = (char) index;
  }

  /** The bin allocates from here now: whatever comes back is simply stacked. */
  void becomeCurrent() {
    quietFrom = 0;
    quietCount = isRack() ? 0 : Integer.MAX_VALUE;
  }

  /**
   * The bin allocates elsewhere: it wants to know of the first and of the last slot to come back.
   */
  void becomeAside() {
    quietFrom = 1;
    quietCount = isRack() ? 0 : Math.max(0, slots - 2);
  }

  private void releaseRemote(int index) {
    long word = remote;
    for (; ; ) {
      int state = RemoteWord.state(word);
      if (state >= RemoteWord.FIRST_UNLISTED) {
        releaseUnlisted(index);
        return;
      }
      if (isRack() && runs[index] != null && isRemoteListHeavy(word)) {
        giveRun(index);
      }
      nextRemote[index] = (char) RemoteWord.head(word);
      Notice toSend = notice;
      int nextState = state == RemoteWord.FULL ? RemoteWord.NOTIFIED : state;
      long pushed = RemoteWord.push(word, index, nextState);
      if (REMOTE.compareAndSet(this, word, pushed)) {
        afterRemoteRelease(state, pushed, toSend);
        pool.countRemoteRelease(this); // last: a counter may want memory
        return;
      }
      word = remote;
    }
  }

  private void afterRemoteRelease(int state, long pushed, @Nullable Notice toSend) {
    if (state == RemoteWord.FULL && toSend != null) {
      toSend.send();
    } else if (state == RemoteWord.ORPHAN && RemoteWord.count(pushed) == orphanUsed) {
      arena.orphans[sizeClass].retire(this);
    }
  }

  /** Runs that wait for an owner who may sleep: at most a part of its budget in each rack. */
  private boolean isRemoteListHeavy(long word) {
    int count = RemoteWord.count(word);
    return count == 0
        ? slotBytes > pool.runBudgetBytes()
        : (long) count * slotBytes >= pool.remoteRunBytes();
  }

  private void releaseUnlisted(int index) {
    if (isRack()) {
      giveRun(index);
      pool.countRemoteRelease(this);
    } else {
      pool.extents().release((Run.Extent) run(0));
    }
  }

  // ---- the owner's side

  /**
   * Takes over what other threads released; what of it has a run goes onto the stack. The state
   * stays: where a notice is under way, the group must not be marked full before it has come.
   *
   * @return how many slots came onto the stack
   */
  int collect() {
    long word = remote;
    while (RemoteWord.head(word) != 0 && RemoteWord.state(word) != RemoteWord.DEAD) {
      if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.state(word)))) {
        return stackAll(RemoteWord.head(word));
      }
      word = remote;
    }
    return 0;
  }

  /**
   * Takes over what other threads released, now that their notice has come.
   *
   * @return how many slots came onto the stack
   */
  int receive() {
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) != RemoteWord.NOTIFIED) {
        return 0;
      }
      if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
        return stackAll(RemoteWord.head(word));
      }
    }
  }

  private int stackAll(int head) {
    int before = top;
    while (head != 0) {
      int index = head - 1;
      head = nextRemote[index];
      if (isRack() && runs[index] == null) {
        vacant[vacantTop++] = (char) index;
      } else {
        push(index);
      }
    }
    return top - before;
  }

  /**
   * Says that nothing is free here; where a notice is under way, it will come for the next release
   * too.
   *
   * @return false where somebody has just released a slot, or the janitor has taken the subpage
   */
  boolean markFull() {
    long word = remote;
    if (RemoteWord.head(word) != 0 || RemoteWord.state(word) == RemoteWord.DEAD) {
      return false;
    }
    return RemoteWord.state(word) == RemoteWord.NOTIFIED
        || REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.FULL));
  }

  /** Takes FULL back, after the owner itself released a slot. A notice under way stays so. */
  void unmarkFull() {
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) != RemoteWord.FULL
          || REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
        return;
      }
    }
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
        stackAll(RemoteWord.head(word));
        break;
      }
    }
    becomeAside();
    this.owner = owner.cache.owner;
  }

  // ---- orphans; under the orphans' lock

  /** What became of a subpage whose owner left it. */
  enum Left {
    /** Some of its slots are in use: it waits for another owner. */
    ORPHANED,
    /** All its slots are free: the caller gives its run back. */
    EMPTY,
    /** The janitor took it. */
    REVOKED
  }

  /** Leaves the subpage without an owner. */
  Left becomeOrphan() {
    disown();
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) == RemoteWord.DEAD) {
        return Left.REVOKED;
      }
      if (RemoteWord.head(word) != 0) {
        if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
          stackAll(RemoteWord.head(word));
        }
        continue;
      }
      orphanUsed = slots - top;
      int next = orphanUsed == 0 ? RemoteWord.DEAD : RemoteWord.ORPHAN;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, next))) {
        return orphanUsed == 0 ? Left.EMPTY : Left.ORPHANED;
      }
    }
  }

  @SuppressWarnings("NullAway") // see the field: without an owner nobody reads the bin
  private void disown() {
    owner = null;
    bin = null;
    notice = null;
  }

  boolean hasFreeOrphanSlot() {
    return top > 0 || RemoteWord.head(remote) != 0;
  }

  boolean isFreeOrphan() {
    long word = remote;
    return RemoteWord.state(word) == RemoteWord.ORPHAN && RemoteWord.count(word) == orphanUsed;
  }

  /** No slot is in use, so that nobody else changes the word any more. */
  void die() {
    remote = RemoteWord.handedOver(remote, RemoteWord.DEAD);
  }

  /** Gives a dead subpage's memory back and lets go of the objects bound to it. */
  void giveRunBack() {
    Arrays.fill(bound, null);
    giveRun(0);
  }

  // ---- racks; owner's side

  boolean hasVacancy() {
    return vacantTop > 0;
  }

  /** No run is here, in use or free: the rack can be dropped. */
  boolean isVacant() {
    return vacantTop == slots;
  }

  /** Puts a run into a vacant place, which the caller then holds. */
  int fill(Run run) {
    int index = vacant[--vacantTop];
    runs[index] = run;
    return index;
  }

  /** Gives the run of a held slot back and leaves its place vacant. */
  void vacate(int index) {
    giveRun(index);
    vacant[vacantTop++] = (char) index;
  }

  /** Gives the runs of the lowest {@code count} slots on the stack back. */
  void vacateLowest(int count) {
    for (int i = 0; i < count; i++) {
      vacate(stack[i]);
    }
    System.arraycopy(stack, count, stack, 0, top - count);
    top -= count;
  }

  /** The owner leaves: free runs go back now, the others when they are released. */
  void leaveRack() {
    disown();
    for (; ; ) {
      long word = remote;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.LEFT))) {
        stackAll(RemoteWord.head(word));
        vacateLowest(top);
        return;
      }
    }
  }

  private void giveRun(int index) {
    Run run = letGo(index);
    if (run != null) {
      arena.giveRun((Run.Pages) run);
    }
  }

  // ---- the janitor's side

  /** From now on the owner releases as any other thread does, which is always right. */
  void disownIdle() {
    OWNER.setOpaque(this, null);
  }

  /**
   * Takes memory back that other threads released and the owner has not come for: a full subpage
   * whose every slot was released remotely, and the runs on a rack's remote list. The owner's
   * private state is not touched; who of the two changes the word first has it.
   */
  void revokeReleased() {
    long word = remote;
    if (isRack()) {
      revokeRuns(word);
    } else if (RemoteWord.state(word) == RemoteWord.NOTIFIED
        && RemoteWord.count(word) == slots
        && REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.DEAD))) {
      giveRunBack();
    }
  }

  private void revokeRuns(long word) {
    int state = RemoteWord.state(word);
    if (RemoteWord.head(word) == 0
        || state >= RemoteWord.ORPHAN
        || !REMOTE.compareAndSet(this, word, RemoteWord.taken(word, state))) {
      return;
    }
    for (int head = RemoteWord.head(word); head != 0; ) {
      int index = head - 1;
      head = nextRemote[index];
      giveRun(index);
      returnVacant(index);
    }
  }

  /** Lists a place without a run for the owner; the slot was released and counted before. */
  private void returnVacant(int index) {
    for (; ; ) {
      long word = remote;
      int state = RemoteWord.state(word);
      if (state == RemoteWord.LEFT) {
        return;
      }
      nextRemote[index] = (char) RemoteWord.head(word);
      Notice toSend = notice;
      int nextState = state == RemoteWord.FULL ? RemoteWord.NOTIFIED : state;
      if (REMOTE.compareAndSet(this, word, RemoteWord.push(word, index, nextState))) {
        afterRemoteRelease(state, word, toSend);
        return;
      }
    }
  }

  /** Takes the run out of its place; the object bound there must not keep a heap chunk alive. */
  private @Nullable Run letGo(int index) {
    Run run = runs[index];
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

  /** What the subpage holds; the free slots are read while their owner moves them. */
  SubpageFigures figures() {
    int free = Math.min(slots, Math.max(0, top) + remoteCount());
    int runBytes = pool.sizeClasses().runPages(sizeClass) * pool.pageBytes();
    return new SubpageFigures(slotBytes, slots, free, runBytes);
  }

  /** The free slots on the stack and on the remote list, each exactly once. */
  boolean[] freeSlots() {
    boolean[] free = new boolean[slots];
    for (int i = 0; i < top; i++) {
      mark(free, stack[i]);
    }
    int listed = 0;
    for (int head = RemoteWord.head(remote); head != 0; head = nextRemote[head - 1]) {
      mark(free, head - 1);
      listed++;
    }
    PoolInvariants.require(listed == remoteCount(), "remote list is as long as it says");
    return free;
  }

  private static void mark(boolean[] free, int index) {
    PoolInvariants.require(!free[index], "slot " + index + " is free once");
    free[index] = true;
  }

  @Override
  public String toString() {
    String kind = isRack() ? "rack" : "subpage";
    return kind + " of " + slots + " x " + slotBytes + " B, " + top + " on the stack";
  }
}
