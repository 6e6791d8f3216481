/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.testing.GarbageCollection;
import dev.cistern.util.ResourceLeakDetector;
import example.shop.Stock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The report by site, which is made for scrapes, has the same sites as the whole report. */
class ReportBySiteTest {
  private static final int DEPTHS = 20;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final Stock stock = new Stock(allocator);
  private final AllocatorSource source = new AllocatorSource("sites").add("buffers", allocator);

  @BeforeEach
  void fillStores() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID); // watches each buffer
    long here = found("takeHere") + DEPTHS;
    long there = found("takeThere") + DEPTHS;
    for (int depth = 0; depth < DEPTHS; depth++) {
      stock.takeHere(depth);
      stock.takeThere(depth);
    }
    GarbageCollection.until(() -> found("takeHere") == here && found("takeThere") == there);
  }

  private static long found(String site) {
    return LibraryLeaks.SHARED.leaks(StackDetail.FRAMES).entries().stream()
        .filter(entry -> entry.site().contains(site))
        .mapToLong(LeakEntry::found)
        .sum();
  }

  @AfterEach
  void emptyStores() {
    stock.giveBack();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @Test
  void theSeriesOfSitesAreTheSame() {
    List<String> whole = sites(Scrape.text(new CisternCollector(() -> source.report())));
    List<String> bySite = sites(Scrape.text(new CisternCollector(source)));
    assertThat(bySite).isEqualTo(whole).hasSizeGreaterThan(3);
  }

  private static List<String> sites(String text) {
    return text.lines()
        .filter(line -> line.contains("site=\"") && !line.startsWith("cistern_live_bytes"))
        .filter(line -> line.contains("Stock.take"))
        .toList();
  }

  @Test
  void aSiteIsOneEntryWithoutFrames() {
    List<LeakEntry> leaks = LibraryLeaks.SHARED.leaks(StackDetail.SITE).entries();
    assertThat(leaks)
        .filteredOn(entry -> entry.site().contains("Stock.take"))
        .hasSize(2)
        .allMatch(entry -> entry.latest().stack().frames().isEmpty())
        .allMatch(entry -> entry.latest().accesses().isEmpty());
    assertThat(LibraryLeaks.SHARED.leaks(StackDetail.FRAMES).entries())
        .hasSizeGreaterThan(2 * DEPTHS - 1);
    List<LiveStack> live = LibraryLeaks.SHARED.live(StackDetail.SITE).stacks();
    assertThat(live)
        .filteredOn(stack -> stack.stack().site().contains("Stock.take"))
        .allMatch(stack -> stack.stack().frames().isEmpty())
        .hasSizeLessThan(8);
  }
}
