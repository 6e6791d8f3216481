/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static dev.cistern.exporter.finding.HeldBuffers.READ;
import static dev.cistern.exporter.finding.HeldBuffers.held;
import static dev.cistern.exporter.finding.HeldBuffers.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.PinnedSite;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Large buffers that only small slices keep. */
class PinnedBySlicesRuleTest {
  private static final long MIB = Simulated.MIB;

  private Simulated with(PinnedSite... sites) {
    Simulated process = new Simulated();
    process.slices = second -> List.of(sites);
    return process;
  }

  @Test
  void slicesOfFramesAreCertainFrom32Mebibytes() {
    Finding found = with(slices(READ, 48, MIB, true)).run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.PINNED_BY_SLICES);
    assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.site()).isEqualTo(READ);
    assertThat(found.bytes()).isEqualTo(48 * MIB - 48 * 64);
    assertThat(found.what())
        .isEqualTo("Slices keep buffers of " + READ + ": 48 slices of 64 B hold 48.0 MiB");
    assertThat(found.evidence().get(0)).startsWith("certain:");
    assertThat(found.evidence().get(1)).endsWith("last passed to com.shop.Cache");
  }

  @Test
  void slicesThatShareTheCountOfTheirBufferAreANotice() {
    Finding found = with(slices(READ, 900, MIB, false)).run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.PINNED_BY_SLICES);
    assertThat(found.level()).isEqualTo(Level.NOTICE);
    assertThat(found.confidence()).isEqualTo(Confidence.LOW);
    assertThat(found.evidence().get(0)).endsWith("looks the same");
  }

  /** A cache keeps whole frames and a slice of the header of each. */
  @Test
  void framesThatAreKeptWithAHeaderSliceAreANotice() {
    Simulated process = with(slices(READ, 200, MIB, false));
    process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 200 * MIB, 0));
    assertThat(process.run(60).findings())
        .isNotEmpty()
        .allMatch(found -> found.level() == Level.NOTICE);
  }

  @Test
  void aWarningIsAboutCertainSitesOnly() {
    Finding found =
        with(slices("com.shop.A.read:1", 24, MIB + 64, true), slices(READ, 48, MIB, false))
            .run(1)
            .first();
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(found.bytes()).isEqualTo(24 * MIB);
    assertThat(found.site()).isEqualTo("com.shop.A.read:1");
    Finding less =
        with(slices("com.shop.A.read:1", 23, MIB, true), slices(READ, 20, MIB, false))
            .run(1)
            .first();
    assertThat(less.level()).isEqualTo(Level.NOTICE);
    assertThat(less.bytes()).isEqualTo(43 * MIB - 43 * 64);
    assertThat(less.evidence().get(0)).endsWith("looks the same");
  }

  @Test
  void twentyFourMebibytesWithoutTheSlicesAreMuch() {
    PinnedSite exact =
        new PinnedSite("direct", READ, "", 1, 32 * MIB, 8 * MIB, 1, true, Reports.NOON_MILLIS);
    assertThat(with(exact).run(1).first().confidence()).isEqualTo(Confidence.MEDIUM);
    PinnedSite less =
        new PinnedSite("direct", READ, "", 1, 32 * MIB, 8 * MIB + 1, 1, true, Reports.NOON_MILLIS);
    assertThat(with(less).run(1).findings()).isEmpty();
  }

  @Test
  void aPartOfWhatItsHolderKeepsIsNotTheMainCause() {
    Simulated process = with(slices(READ, 48, MIB, true));
    process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 95 * MIB, 0));
    assertThat(process.run(1).first().confidence()).isEqualTo(Confidence.HIGH);
    process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 97 * MIB, 0));
    assertThat(process.run(1).findings())
        .filteredOn(found -> found.kind() == Kind.PINNED_BY_SLICES)
        .extracting(Finding::confidence, Finding::level)
        .containsExactly(tuple(Confidence.LOW, Level.NOTICE));
  }

  @Test
  void sitesAddUpAndTheLargestIsNamedFirst() {
    Finding found =
        with(slices("com.shop.A.read:1", 12, MIB, true), slices(READ, 24, MIB, true))
            .run(1)
            .first();
    assertThat(found.site()).isEqualTo(READ);
    assertThat(found.bytes()).isEqualTo(36 * MIB - 36 * 64);
    assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(found.evidence())
        .contains("12 slices of 64 B hold 12.0 MiB, allocated by com.shop.A.read:1");
  }
}
