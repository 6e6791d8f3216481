/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.cistern.util.IllegalReferenceCountException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The table with which a composite finds components, and the component that was found last. Readers
 * write both, and publish them to each other without a lock.
 */
public final class CompositeCases {
  private static final int COMPONENTS = 4;
  private static final int LENGTH = 3;
  private static final int CAPACITY = COMPONENTS * LENGTH;

  private CompositeCases() {}

  private static byte[] bytes(int from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return bytes;
  }

  /** Returns a composite of components of one length, whose bytes are their indices. */
  private static CompositeByteBuf composite() {
    CompositeByteBuf composite =
        new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, 2 * COMPONENTS);
    for (int i = 0; i < CAPACITY; i += LENGTH) {
      composite.addComponent(true, Unpooled.wrappedBuffer(bytes(i, LENGTH)));
    }
    return composite;
  }

  /**
   * Reads alternately from distant indices, so that each read looks up its component; returns the
   * number of wrong bytes.
   */
  private static int wrong(ByteBuf composite, int end) {
    int wrong = 0;
    for (int i = 0; i < end; i++) {
      int index = (i & 1) == 0 ? i : end - i;
      wrong += composite.getByte(index) == index ? 0 : 1;
    }
    return wrong;
  }

  /** Two readers make the table. Wrong bytes of each. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each reads what is there")
  @Outcome(expect = FORBIDDEN, desc = "a table that is not filled, or another component")
  @State
  public static class ReadersMakeTheTable {
    private final CompositeByteBuf composite = composite();

    @Actor
    public void one(II_Result result) {
      result.r1 = wrong(composite, CAPACITY);
    }

    @Actor
    public void another(II_Result result) {
      result.r2 = wrong(composite, CAPACITY);
    }
  }

  /**
   * The owner adds, merges and removes components, and hands the composite over to a reader. Wrong
   * bytes of the reader, or -1 before the handover.
   */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not handed over yet")
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "it reads what is there now")
  @Outcome(expect = FORBIDDEN, desc = "by the table of before, or by half of the new one")
  @State
  public static class OwnerChangesAndHandsOver {
    private final CompositeByteBuf composite = composite();
    private volatile boolean isHandedOver;

    public OwnerChangesAndHandsOver() {
      wrong(composite, CAPACITY);
    }

    @Actor
    public void owner() {
      composite.addComponent(true, 0, Unpooled.wrappedBuffer(bytes(0, LENGTH)));
      composite.removeComponent(1).consolidate(1, 2);
      composite.addComponent(true, Unpooled.wrappedBuffer(bytes(CAPACITY, LENGTH)));
      wrong(composite, LENGTH);
      isHandedOver = true;
    }

    @Actor
    public void reader(I_Result result) {
      result.r1 = isHandedOver ? wrong(composite, CAPACITY + LENGTH) : -1;
    }
  }

  /** A reader without permission, during a change. 1: right, 0: wrong, -1: refused. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "it reads what was there")
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "it is refused")
  @Outcome(id = "0", expect = ACCEPTABLE_INTERESTING, desc = "it reads what is under way")
  @Outcome(expect = FORBIDDEN, desc = "another failure")
  @State
  public static class ReaderBesideAChange {
    private final CompositeByteBuf composite = composite();

    public ReaderBesideAChange() {
      wrong(composite, CAPACITY);
    }

    @Actor
    public void owner() {
      composite.consolidate(0, 2).addComponent(true, Unpooled.wrappedBuffer(bytes(0, LENGTH)));
    }

    @Actor
    public void reader(I_Result result) {
      try {
        result.r1 = composite.getByte(CAPACITY - 1) == CAPACITY - 1 ? 1 : 0;
      } catch (IndexOutOfBoundsException | IllegalReferenceCountException refused) {
        result.r1 = -1;
      }
    }
  }

  /** A reader during the last release. 1: right, -1: refused. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "it reads what was there")
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "it is refused")
  @Outcome(expect = FORBIDDEN, desc = "another byte, or another failure")
  @State
  public static class ReaderBesideTheLastRelease {
    private final CompositeByteBuf composite = composite();

    @Actor
    public void owner() {
      composite.release();
    }

    @Actor
    public void reader(I_Result result) {
      try {
        result.r1 = composite.getByte(CAPACITY - 1) == CAPACITY - 1 ? 1 : 0;
      } catch (IndexOutOfBoundsException | IllegalReferenceCountException refused) {
        result.r1 = -1;
      }
    }
  }
}
