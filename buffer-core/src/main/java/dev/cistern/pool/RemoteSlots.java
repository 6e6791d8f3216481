/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a group that threads other than the owner release. Each thread pushes a slot onto
 * the list in {@link RemoteFreeList} with one compare-and-set. The owner takes the whole list at
 * once.
 */
abstract class RemoteSlots extends SlotLists {
  private static final VarHandle REMOTE;

  /**
   * The number of slots of a full group for each released slot that a notice needs. With a notice
   * for the first slot, the owner would accept slot by slot while another thread still releases
   * into the group.
   */
  private static final int SLOTS_FOR_EACH_NOTICED = 8;

  static {
    try {
      REMOTE = MethodHandles.lookup().findVarHandle(RemoteSlots.class, "remote", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The number of released slots at which a full group sends its notice; at least 1. */
  final int noticeAt;

  /** The word of {@link RemoteFreeList}, with volatile reads and compare-and-set. */
  volatile long remote;

  /**
   * The notice of this group. Written by the owner before it sets FULL; read by other threads after
   * they read FULL.
   */
  private @Nullable RemoteFreeNotice notice;

  /** Number of slots in use when the group became an orphan; written before ORPHAN is set. */
  private int orphanUsed;

  RemoteSlots(int slots) {
    super(slots);
    this.noticeAt = Math.max(1, slots / SLOTS_FOR_EACH_NOTICED);
  }

  // ---- releases by other threads

  /** Adds a slot that the calling thread holds to the list. Its release is already counted. */
  final void listRemote(int index) {
    long word;
    do {
      word = remote;
    } while (!tryListRemote(word, index));
  }

  /** Adds a slot to the list, unless the word has changed. */
  private boolean tryListRemote(long word, int index) {
    long pushed = RemoteFreeList.push(word, index, stateWithOneMore(word));
    int state = RemoteFreeList.state(word);
    boolean isNoticed = state != RemoteFreeList.state(pushed);
    boolean isLast = state == RemoteFreeList.ORPHAN && RemoteFreeList.count(pushed) == orphanUsed;
    if (isNoticed || isLast || slots == 1) {
      StackRoom.require(); // for the steps after the release
    }
    RemoteFreeNotice toSend = isNoticed ? notice : null;
    links[index] = (char) RemoteFreeList.head(word);
    boolean isListed;
    try {
      isListed = REMOTE.compareAndSet(this, word, pushed);
    } catch (Throwable failed) {
      links[index] = COUNTED;
      throw failed;
    }
    if (!isListed) {
      links[index] = COUNTED;
      return false;
    }
    if (isLast) {
      retireOrphan();
    } else if (toSend != null || slots == 1) {
      announce(toSend);
    }
    return true;
  }

  /** Returns the state of the group after one more slot is listed. */
  private int stateWithOneMore(long word) {
    int state = RemoteFreeList.state(word);
    return state == RemoteFreeList.FULL && RemoteFreeList.count(word) + 1 >= noticeAt
        ? RemoteFreeList.NOTIFIED
        : state;
  }

  /** Retires an orphan after the release of its last slot. Throws nothing. */
  abstract void retireOrphan();

  /**
   * Sends a notice after the release of a slot that the owner receives later. Throws nothing.
   *
   * @param toSend the notice to send, or null
   */
  abstract void announce(@Nullable RemoteFreeNotice toSend);

  // ---- the owner's side

  /**
   * Moves the slots that other threads released into the owner's list. Keeps the state: if a notice
   * was sent, the group must not be marked full before the owner has accepted the notice.
   *
   * @return the number of slots that were moved
   */
  final int drainRemoteFrees() {
    long word = remote;
    while (RemoteFreeList.head(word) != 0 && RemoteFreeList.state(word) != RemoteFreeList.FREED) {
      if (REMOTE.compareAndSet(
          this, word, RemoteFreeList.taken(word, RemoteFreeList.state(word)))) {
        return listAll(word);
      }
      word = remote;
    }
    return 0;
  }

  /**
   * Moves the slots that other threads released into the owner's list, after their notice has
   * arrived.
   *
   * @return the number of slots that were moved
   */
  final int acceptNotice() {
    for (; ; ) {
      long word = remote;
      if (RemoteFreeList.state(word) != RemoteFreeList.NOTIFIED) {
        return 0;
      }
      if (REMOTE.compareAndSet(this, word, RemoteFreeList.taken(word, RemoteFreeList.OWNED))) {
        return listAll(word);
      }
    }
  }

  /** Adds a remote list that was taken to the owner's list, as a whole if that list is empty. */
  private int listAll(long word) {
    int first = RemoteFreeList.head(word);
    if (head == 0) {
      head = first;
    } else {
      while (first != 0) {
        int next = links[first];
        push(first);
        first = next;
      }
    }
    return RemoteFreeList.count(word);
  }

  /**
   * Marks the group as full: it has no free slot, or fewer than a notice needs. If a notice was
   * already sent, it also covers the next releases. The mark stays when the owner releases a slot.
   * Another thread may then send an extra notice, which costs less than two compare-and-sets each
   * time that the current group is replaced.
   *
   * @return false if enough slots for a notice have just been released, or if the group is freed
   */
  final boolean markFull() {
    long word = remote;
    if (RemoteFreeList.count(word) >= noticeAt
        || RemoteFreeList.state(word) == RemoteFreeList.FREED) {
      return false;
    }
    return RemoteFreeList.state(word) != RemoteFreeList.OWNED // FULL still, or NOTIFIED
        || REMOTE.compareAndSet(this, word, RemoteFreeList.inState(word, RemoteFreeList.FULL));
  }

  /** Starts the next epoch, in which the group belongs to {@code owner}. */
  final void handOverTo(Bin owner) {
    notice = new RemoteFreeNotice(owner, (SlotGroup) this); // first, because it may fail
    for (; ; ) {
      long word = remote;
      if (REMOTE.compareAndSet(this, word, RemoteFreeList.handedOver(word, RemoteFreeList.OWNED))) {
        listAll(word);
        return;
      }
    }
  }

  // ---- groups without an owner; under the lock of Orphans if a thread can adopt the group

  /**
   * Makes the group an orphan, or a freed group.
   *
   * @return false if it is freed, because all its slots are free, or because the maintenance thread
   *     has freed it: then the caller frees its run
   */
  final boolean becomeOrphan() {
    for (; ; ) {
      long word = remote;
      if (RemoteFreeList.state(word) == RemoteFreeList.FREED) {
        return false;
      }
      if (RemoteFreeList.head(word) != 0) {
        if (REMOTE.compareAndSet(this, word, RemoteFreeList.taken(word, RemoteFreeList.OWNED))) {
          listAll(word);
        }
        continue;
      }
      orphanUsed = slots - countFree();
      int next = orphanUsed == 0 ? RemoteFreeList.FREED : RemoteFreeList.ORPHAN;
      if (REMOTE.compareAndSet(this, word, RemoteFreeList.handedOver(word, next))) {
        notice = null; // it refers to the former owner
        return orphanUsed != 0;
      }
    }
  }

  final boolean hasFreeOrphanSlot() {
    return head != 0 || RemoteFreeList.head(remote) != 0;
  }

  final boolean isFreeOrphan() {
    long word = remote;
    return RemoteFreeList.state(word) == RemoteFreeList.ORPHAN
        && RemoteFreeList.count(word) == orphanUsed;
  }

  // ---- the end of a group

  /** Marks a group without a slot in use as freed, so that no other thread releases into it. */
  final void markFreed() {
    remote = RemoteFreeList.handedOver(remote, RemoteFreeList.FREED);
    notice = null; // it refers to the owner
  }

  final boolean isFreed() {
    return RemoteFreeList.state(remote) == RemoteFreeList.FREED;
  }

  /**
   * Marks a group as freed if other threads have released every slot and the owner has not received
   * them. Does not access the owner's private state: the thread that changes the word first gets
   * the group.
   */
  final boolean tryMarkFreed() {
    long word = remote;
    int state = RemoteFreeList.state(word);
    return RemoteFreeList.count(word) == slots
        && (state == RemoteFreeList.NOTIFIED || (slots == 1 && state == RemoteFreeList.OWNED))
        && REMOTE.compareAndSet(this, word, RemoteFreeList.handedOver(word, RemoteFreeList.FREED));
  }

  // ---- for statistics and checks

  final int remoteState() {
    return RemoteFreeList.state(remote);
  }

  final int remoteHead() {
    return RemoteFreeList.head(remote);
  }

  final int remoteCount() {
    return RemoteFreeList.count(remote);
  }
}
