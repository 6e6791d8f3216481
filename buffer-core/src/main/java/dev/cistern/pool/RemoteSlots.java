/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a group that threads other than the owner release: each pushes a slot onto the list
 * in {@link RemoteWord} with one compare-and-set, and the owner takes that list as a whole.
 */
abstract class RemoteSlots extends SlotLists {
  private static final VarHandle REMOTE;

  /**
   * A full group sends its notice once one in so many of its slots is back: after the first slot,
   * the owner would come for slot after slot while another thread still releases into the group.
   */
  private static final int SLOTS_FOR_EACH_NOTICED = 8;

  static {
    try {
      REMOTE = MethodHandles.lookup().findVarHandle(RemoteSlots.class, "remote", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** A full group sends its notice once so many of its slots are back; at least 1. */
  final int noticeAt;

  /** See {@link RemoteWord}; by volatile reads and compare-and-set. */
  volatile long remote;

  /** Written by the owner before the state is FULL, read by other threads after they saw that. */
  private @Nullable Notice notice;

  /** Number of slots in use when the group became an orphan; written before the state is ORPHAN. */
  private int orphanUsed;

  RemoteSlots(int slots) {
    super(slots);
    this.noticeAt = Math.max(1, slots / SLOTS_FOR_EACH_NOTICED);
  }

  // ---- releases by other threads

  /** Lists a slot that the calling thread holds, and whose release is counted. */
  final void listRemote(int index) {
    long word;
    do {
      word = remote;
    } while (!tryListRemote(word, index));
  }

  /** Lists a slot, unless the word has changed. */
  private boolean tryListRemote(long word, int index) {
    long pushed = RemoteWord.push(word, index, stateWithOneMore(word));
    int state = RemoteWord.state(word);
    boolean isNoticed = state != RemoteWord.state(pushed);
    boolean isLast = state == RemoteWord.ORPHAN && RemoteWord.count(pushed) == orphanUsed;
    if (isNoticed || isLast || slots == 1) {
      StackRoom.require(); // for what follows the release
    }
    Notice toSend = isNoticed ? notice : null;
    links[index] = (char) RemoteWord.head(word);
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

  /** Returns the state of the group once another slot is listed. */
  private int stateWithOneMore(long word) {
    int state = RemoteWord.state(word);
    return state == RemoteWord.FULL && RemoteWord.count(word) + 1 >= noticeAt
        ? RemoteWord.NOTIFIED
        : state;
  }

  /** Called after the last slot of an orphan is released; throws nothing. */
  abstract void retireOrphan();

  /**
   * Called after a release that the owner is to receive; throws nothing.
   *
   * @param toSend the notice to send, or null
   */
  abstract void announce(@Nullable Notice toSend);

  // ---- the owner's side

  /**
   * Moves what other threads released into the owner's list. The state stays: if a notice is under
   * way, the group must not be marked full before the notice has come.
   *
   * @return how many slots came into the list
   */
  final int drainRemoteFrees() {
    long word = remote;
    while (RemoteWord.head(word) != 0 && RemoteWord.state(word) != RemoteWord.FREED) {
      if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.state(word)))) {
        return listAll(word);
      }
      word = remote;
    }
    return 0;
  }

  /**
   * Moves what other threads released into the owner's list, now that their notice has come.
   *
   * @return how many slots came into the list
   */
  final int acceptNotice() {
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

  /** Puts a remote list that was taken into the owner's; if that is empty, as it is. */
  private int listAll(long word) {
    int first = RemoteWord.head(word);
    if (head == 0) {
      head = first;
    } else {
      while (first != 0) {
        int next = links[first];
        push(first);
        first = next;
      }
    }
    return RemoteWord.count(word);
  }

  /**
   * Marks the group as one in which no slot is free, or fewer than a notice is sent for. If a
   * notice is under way, it will come for the next release too. The mark stays when the owner
   * releases a slot: another thread may then send a notice too many, which costs less than two
   * exchanges each time that a group is set aside.
   *
   * @return false if enough for a notice has just been released, or if the group is dead
   */
  final boolean markFull() {
    long word = remote;
    if (RemoteWord.count(word) >= noticeAt || RemoteWord.state(word) == RemoteWord.FREED) {
      return false;
    }
    return RemoteWord.state(word) != RemoteWord.OWNED // FULL still, or NOTIFIED
        || REMOTE.compareAndSet(this, word, RemoteWord.inState(word, RemoteWord.FULL));
  }

  /** Begins the next epoch, in which {@code owner} has the group. */
  final void handOverTo(Bin owner) {
    notice = new Notice(owner, (SlotGroup) this); // may fail: nothing has changed yet
    for (; ; ) {
      long word = remote;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.OWNED))) {
        listAll(word);
        return;
      }
    }
  }

  // ---- groups without an owner; under the orphans' lock if a thread may adopt the group

  /**
   * Makes the group an orphan, or a dead one.
   *
   * @return false if it is dead, because all its slots are free or the maintenance thread has taken
   *     it: then the caller gives its run back
   */
  final boolean becomeOrphan() {
    for (; ; ) {
      long word = remote;
      if (RemoteWord.state(word) == RemoteWord.FREED) {
        return false;
      }
      if (RemoteWord.head(word) != 0) {
        if (REMOTE.compareAndSet(this, word, RemoteWord.taken(word, RemoteWord.OWNED))) {
          listAll(word);
        }
        continue;
      }
      orphanUsed = slots - countFree();
      int next = orphanUsed == 0 ? RemoteWord.FREED : RemoteWord.ORPHAN;
      if (REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, next))) {
        notice = null; // it would keep the former owner
        return orphanUsed != 0;
      }
    }
  }

  final boolean hasFreeOrphanSlot() {
    return head != 0 || RemoteWord.head(remote) != 0;
  }

  final boolean isFreeOrphan() {
    long word = remote;
    return RemoteWord.state(word) == RemoteWord.ORPHAN && RemoteWord.count(word) == orphanUsed;
  }

  // ---- the end of a group

  /** Marks a group as dead in which no slot is in use, so that no other thread has a slot of it. */
  final void markFreed() {
    remote = RemoteWord.handedOver(remote, RemoteWord.FREED);
    notice = null; // it would keep the owner
  }

  final boolean isFreed() {
    return RemoteWord.state(remote) == RemoteWord.FREED;
  }

  /**
   * Marks a group as dead whose every slot other threads released, if the owner has not received
   * them. The owner's private state is not touched: the thread that changes the word first has it.
   */
  final boolean tryMarkFreed() {
    long word = remote;
    int state = RemoteWord.state(word);
    return RemoteWord.count(word) == slots
        && (state == RemoteWord.NOTIFIED || (slots == 1 && state == RemoteWord.OWNED))
        && REMOTE.compareAndSet(this, word, RemoteWord.handedOver(word, RemoteWord.FREED));
  }

  // ---- for figures and checks

  final int remoteState() {
    return RemoteWord.state(remote);
  }

  final int remoteHead() {
    return RemoteWord.head(remote);
  }

  final int remoteCount() {
    return RemoteWord.count(remote);
  }
}
