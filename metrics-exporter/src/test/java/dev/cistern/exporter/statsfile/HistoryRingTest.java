/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Holders;
import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.ChannelFigures;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.leak.report.LiveStack;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last hour of a process. */
class HistoryRingTest {
  private final byte[] region = new byte[HistoryRing.BYTES];
  private final HistoryRing ring =
      new HistoryRing(ByteBuffer.wrap(region).order(ByteOrder.LITTLE_ENDIAN));

  private static HostView at(long millis, PoolReport... copies) {
    return HostView.of(new HostReport(Reports.HOST, millis, 0, List.of(copies)));
  }

  private List<Long> times() {
    return HistoryRing.read(region).points().stream().map(History.Point::timeMillis).toList();
  }

  @Test
  void itHasFiveMinutesInSecondsAndAnHourInSteps() {
    long start = Reports.NOON_MILLIS;
    for (int second = 0; second <= 7_200; second++) {
      ring.add(at(start + second * 1_000L));
    }
    List<Long> times = times();
    assertThat(times).isSorted().doesNotHaveDuplicates().hasSize(300 + 330);
    assertThat(times.get(times.size() - 1)).isEqualTo(start + 7_200_000);
    assertThat(times.get(0)).isEqualTo(start + 7_200_000 - 359 * 10_000);
    assertThat(times.get(times.size() - 300)).isEqualTo(start + 7_200_000 - 299 * 1_000);
  }

  @Test
  void aClockThatIsSetBackDoesNotEndTheHour() {
    long day = 86_400_000;
    ring.add(at(Reports.NOON_MILLIS));
    for (int second = 0; second < 400; second++) {
      ring.add(at(Reports.NOON_MILLIS - day + second * 1_000L));
    }
    assertThat(times().get(0)).isEqualTo(Reports.NOON_MILLIS - day);
  }

  @Test
  void aLimitOfTheJvmCountsOnceAndMemoryOfAllCopies() {
    PoolReport copy = Reports.copy("io.netty", Reports.leaks());
    PoolReport shaded = Reports.copy("shaded.io.netty", Reports.leaks());
    ring.add(at(Reports.NOON_MILLIS, copy, shaded));
    HostView one = at(Reports.NOON_MILLIS, copy);
    assertThat(value(PoolFigures.LIMIT_BYTES))
        .isEqualTo(one.total(PoolFigures.LIMIT_BYTES, "direct"));
    assertThat(value(PoolFigures.RESERVED_BYTES))
        .isEqualTo(2 * one.total(PoolFigures.RESERVED_BYTES, "direct"));
  }

  @Test
  void bytesThatWaitInChannelsAreThoseOfAllCopies() {
    PoolReport copy = Holders.watched(Reports.copy("io.netty", Reports.leaks()));
    PoolReport shaded = Holders.watched(Reports.copy("shaded.io.netty", Reports.leaks()));
    ring.add(at(Reports.NOON_MILLIS, copy, Reports.copy("off.io.netty", Reports.leaks()), shaded));
    assertThat(value(ChannelFigures.PENDING_BYTES, "")).isEqualTo(2 * (26 << 20));
  }

  private long value(Figure<?> figure) {
    return value(figure, "direct");
  }

  private long value(Figure<?> figure, String memory) {
    History history = HistoryRing.read(region);
    int column = history.columns().indexOf(new History.Column(figure.key(), memory));
    return history.points().get(0).values().get(column);
  }

  @Test
  void aSiteWhoseNameGaveWayHasNoNameAndNoOther() {
    for (int i = 0; i < 100; i++) {
      LiveStack stack = Reports.stack("direct", "app.Site" + i + ".take:1", 1, 1_000 + i);
      PoolReport copy =
          Reports.copy("io.netty", Reports.leaks(), Reports.live(List.of(stack), List.of()));
      ring.add(at(Reports.NOON_MILLIS + 1_000L * i, copy));
    }
    List<String> names = new ArrayList<>();
    for (History.Point point : HistoryRing.read(region).points()) {
      long bytes = point.sites().get(0).bytes();
      String name = point.sites().get(0).name();
      assertThat(name).isIn("", "app.Site" + (bytes - 1_000) + ".take:1");
      names.add(name);
    }
    assertThat(names).hasSize(100).filteredOn(name -> !name.isEmpty()).hasSize(63);
  }
}
