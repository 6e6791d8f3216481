/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Sites;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the holders of live buffers, and of buffers that only slices keep. */
class LeakHoldersTest {
  private static final Holder DECODER = new Holder(Place.CUMULATION, "Decoder");
  private static final Holder ORDERS = new Holder(Place.HANDLER, "Orders");
  private static final int SAMPLE_BYTES = 1_000;
  private static final int BUFFER_BYTES = 100;

  private final LeakDetector detector =
      new LeakDetector("io.netty", new LeakStore(8, line -> {}), LeakDetector.Options.DEFAULTS);
  private final List<Object> buffers = new ArrayList<>();
  private long nanos = System.nanoTime();

  @BeforeEach
  void useTestClock() {
    detector.clock(() -> nanos);
  }

  private LeakTracker<Object> keep(int site, @Nullable Holder holder) {
    Object buffer = new Object();
    buffers.add(buffer);
    return track(site, buffer, holder);
  }

  private LeakTracker<Object> track(int site, Object buffer, @Nullable Holder holder) {
    Sample sample = Sample.byBytes("direct", Sample.POOLED, BUFFER_BYTES, 128, SAMPLE_BYTES);
    LeakTracker<Object> tracker = AtSites.track(detector, site, buffer, sample);
    if (holder != null) {
      tracker.passedTo(holder);
    }
    return tracker;
  }

  private LiveDetail detail() {
    return detector.live(0, StackDetail.SITE).detail();
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void aSiteIsSplitByTheLastHolder() {
    keep(0, DECODER);
    keep(0, DECODER).passedTo(ORDERS);
    keep(0, ORDERS);
    keep(0, null);
    keep(1, ORDERS);
    assertThat(detail().held())
        .extracting(HeldSite::site, HeldSite::place, HeldSite::holder, HeldSite::bytes)
        .containsExactlyInAnyOrder(
            tuple(Sites.name(0), Place.HANDLER, "Orders", 2_000.0),
            tuple(Sites.name(0), Place.CUMULATION, "Decoder", 1_000.0),
            tuple(Sites.name(0), Place.NONE, "", 1_000.0),
            tuple(Sites.name(1), Place.HANDLER, "Orders", 1_000.0));
    assertThat(detail().held().get(0).bytes()).isEqualTo(2_000);
    assertThat(detail().held().get(0).buffers()).isEqualTo(20);
  }

  @Test
  void aHintNamesTheHolder() {
    LeakTracker<Object> tracker = keep(0, DECODER);
    tracker.record("parsed");
    assertThat(tracker.holder()).isEqualTo(new Holder(Place.HINT, "parsed"));
    tracker.record(null);
    assertThat(tracker.holder()).isEqualTo(new Holder(Place.HINT, "parsed"));
  }

  @Test
  void bytesAreOldAfterTenSeconds() {
    keep(0, ORDERS);
    pass(10);
    keep(0, ORDERS);
    HeldSite held = detail().held().get(0);
    assertThat(held.bytes()).isEqualTo(2_000);
    assertThat(held.oldBytes()).isEqualTo(1_000);
  }

  @Test
  void leakedBuffersStayWithTheirHolder() {
    LeakTracker<Object> tracker = track(0, new Object(), DECODER);
    while (detector.tick() == 0) {
      System.gc();
    }
    assertThat(tracker.get()).isNull();
    HeldSite held = detail().held().get(0);
    assertThat(held.holder()).isEqualTo("Decoder");
    assertThat(held.lostBytes()).isEqualTo(1_000);
    pass(TimeUnit.HOURS.toSeconds(2)); // it is now a part of a sum
    assertThat(detail().held().get(0).lostBytes()).isEqualTo(1_000);
  }

  @Test
  void holdersBeyondTheLimitAreOneEntry() {
    int more = 5;
    for (int i = 0; i < HolderSums.MAX_KEYS + more; i++) {
      keep(0, new Holder(Place.HANDLER, "handler " + i));
    }
    List<HeldSite> held = detail().held();
    assertThat(held).hasSize(LiveDetail.MAX_SITES + 1);
    HeldSite others = held.get(LiveDetail.MAX_SITES);
    assertThat(others.site()).isEqualTo(HeldSite.OTHERS);
    assertThat(held.stream().mapToDouble(HeldSite::bytes).sum())
        .isEqualTo((HolderSums.MAX_KEYS + more) * (double) SAMPLE_BYTES);
  }

  @Test
  void hintsOfASiteBeyondTheLimitAreOneEntry() {
    for (int i = 0; i < HolderSums.MAX_HINTS + 5; i++) {
      keep(0, new Holder(Place.HINT, "request " + i));
    }
    List<HeldSite> held = detail().held();
    assertThat(held).hasSize(HolderSums.MAX_HINTS + 1);
    assertThat(held.get(0).holder()).isEqualTo(HeldSite.OTHERS);
    assertThat(held.get(0).bytes()).isEqualTo(5_000);
  }

  private void pin(LeakTracker<?> tracker, long bytes, boolean isCertain) {
    Pins pins = buffer -> new Pins.Cover(bytes, BUFFER_BYTES, 1, isCertain);
    assertThat(tracker.pins(() -> pins)).isSameAs(pins);
  }

  @Test
  void buffersThatSmallSlicesKeepAreAddedUpBySite() {
    pin(keep(0, ORDERS), 5, true);
    pin(keep(0, ORDERS), 15, true);
    pin(keep(1, null), BUFFER_BYTES / 4 + 1, true); // covers too much of the buffer
    pin(keep(2, null), BUFFER_BYTES / 4, false);
    assertThat(detail().pinned()).isEmpty(); // the samples are young
    pass(10);
    assertThat(detail().pinned())
        .extracting(
            PinnedSite::site,
            PinnedSite::holder,
            PinnedSite::buffers,
            PinnedSite::bytes,
            PinnedSite::coveredBytes,
            PinnedSite::slices,
            PinnedSite::isCertain)
        .containsExactly(
            tuple(Sites.name(0), "Orders", 20.0, 2_000.0, 200.0, 20.0, true),
            tuple(Sites.name(2), "", 10.0, 1_000.0, 250.0, 10.0, false));
  }
}
