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
 * The table by which a composite finds components, and the component that was found last: readers
 * write both, and pass them on to each other without a lock. Seed row B12.
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

  /** Of components of one length, whose bytes are their indices. */
  private static CompositeByteBuf composite() {
    CompositeByteBuf composite =
        new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, 2 * COMPONENTS);
    for (int i = 0; i < CAPACITY; i += LENGTH) {
      composite.addComponent(true, Unpooled.wrappedBuffer(bytes(i, LENGTH)));
    }
    return composite;
  }

  /**
   * Reads by turns from far ends, so that each read looks for its component; how many are wrong.
   */
  private static int wrong(ByteBuf composite, int end) {
    int wrong = 0;
    for (int i = 0; i < end; i++) {
      int index = (i & 1) == 0 ? i : end - i;
      wrong += composite.getByte(index) == index ? 0 : 1;
    }
    return wrong;
  }

  /** Two readers make the table. How many bytes each reads wrong. */
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
   * The owner adds, merges and removes, and hands over to a reader. How many bytes that reads
   * wrong, or -1.
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

  /** A reader that has no right to be there, beside a change. 1: right, 0: not, -1: refused. */
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

  /** A reader beside the last release. 1: right, -1: refused. */
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
