/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records the memory that is drawn, for the agent: it frees what is left once no code can reach a
 * buffer of this copy of Netty any more (docs/decisions/0036). A record has classes of the JDK
 * only, so that the agent does not hold the copy: the address, and what {@link NativeDraw#freedBy}
 * returned.
 */
final class RecordedDraw implements NativeDraw {
  private final NativeDraw draw;

  /** The agent's. Of a kind that removes without memory: the Java heap may be full then. */
  private final Set<Object[]> records;

  RecordedDraw(NativeDraw draw, Set<Object[]> records) {
    this.draw = draw;
    this.records = records;
  }

  private static final class Recorded {
    final Object drawn;
    final Object @Nullable [] record;

    Recorded(Object drawn, Object @Nullable [] record) {
      this.drawn = drawn;
      this.record = record;
    }
  }

  @Override
  public Object draw(int bytes) {
    Object drawn = draw.draw(bytes);
    try {
      Object freedBy = draw.freedBy(drawn);
      if (freedBy == null) {
        return new Recorded(drawn, null);
      }
      Object[] record = {MemoryAccess.address(draw.view(drawn)), freedBy};
      Recorded recorded = new Recorded(drawn, record);
      records.add(record); // last: what fails leaves no record behind
      return recorded;
    } catch (Throwable failed) {
      draw.giveBack(drawn);
      throw failed;
    }
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return draw.view(((Recorded) drawn).drawn);
  }

  @Override
  public @Nullable Object freedBy(Object drawn) {
    return draw.freedBy(((Recorded) drawn).drawn);
  }

  /**
   * Forgets the record first, so that no memory is freed twice. What Netty fails to free is lost.
   */
  @Override
  public void giveBack(Object drawn) {
    Recorded recorded = (Recorded) drawn;
    if (recorded.record != null) {
      records.remove(recorded.record);
    }
    draw.giveBack(recorded.drawn);
  }
}
