/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a full table. */
class StackTableTest {
  private static StackTable table(int maxStacks, int maxFrames) {
    return new StackTable(
        new SiteFinder("io.netty"), frame -> false, maxStacks, maxStacks / 2, maxFrames);
  }

  private static Throwable captured(String... methods) {
    Throwable captured = new Throwable();
    StackTraceElement[] frames = new StackTraceElement[methods.length];
    for (int i = 0; i < methods.length; i++) {
      frames[i] = new StackTraceElement("app.Main", methods[i], "Main.java", 1);
    }
    captured.setStackTrace(frames);
    return captured;
  }

  private static StackTable.Stack intern(StackTable table, String... methods) {
    return requireNonNull(table.intern(captured(methods)));
  }

  @Test
  void stacksWhoseFramesFindNoPlaceKeepTheirSitesApart() {
    StackTable table = table(16, 1);
    StackTable.Stack first = intern(table, "first");
    StackTable.Stack second = intern(table, "second");
    StackTable.Stack third = intern(table, "third", "main");
    assertThat(first.site()).isEqualTo("app.Main.first:1");
    assertThat(second.site()).isEqualTo("app.Main.second:1");
    assertThat(third.site()).isEqualTo("app.Main.third:1");
    assertThat(third.show(StackDetail.FRAMES).cutFrames()).isEqualTo(2);
    assertThat(intern(table, "second")).isSameAs(second);
  }

  @Test
  void permanentStacksLeavePlacesAndTheirSiteIsKnown() {
    StackTable table = table(16, 1_000);
    List<StackTable.Stack> kept = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      StackTable.Stack stack = intern(table, "leak", "caller" + i);
      kept.add(requireNonNull(table.keep(stack)));
      table.release(stack);
    }
    assertThat(kept).allMatch(stack -> stack.site().equals("app.Main.leak:1"));
    assertThat(kept.get(0).show(StackDetail.FRAMES).frames()).hasSize(2);
    assertThat(kept.get(99).show(StackDetail.FRAMES).cutFrames()).isEqualTo(2);
    for (int i = 0; i < 100; i++) {
      StackTable.Stack live = intern(table, "live" + i, "main");
      assertThat(live.show(StackDetail.FRAMES).frames()).hasSize(2);
      table.release(live);
    }
    kept.forEach(table::releaseKept);
    for (int i = 0; i < 16; i++) {
      assertThat(intern(table, "later" + i).show(StackDetail.FRAMES).frames()).hasSize(1);
    }
  }

  @Test
  void framesOfUnusedStacksAreReplaced() {
    StackTable table = table(64, 32);
    for (int i = 0; i < 32; i++) {
      table.release(intern(table, "early" + i));
    }
    assertThat(intern(table, "late", "main").show(StackDetail.FRAMES).frames()).hasSize(2);
  }
}
