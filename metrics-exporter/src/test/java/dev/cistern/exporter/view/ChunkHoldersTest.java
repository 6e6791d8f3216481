/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sites whose live buffers keep nearly empty chunks, as text and as JSON. */
class ChunkHoldersTest {
  private static final String CART = "com.shop.Cart.encode:42";

  private static HostView host() {
    List<ChunkHolder> holders =
        List.of(
            new ChunkHolder("direct", CART, 3, 96 << 10, 12 << 20, 4),
            new ChunkHolder("direct", "com.shop.Menu.show:7", 1, 64 << 10, 4 << 20, 1));
    LiveReport live =
        new LiveReport(
            Reports.NOON_MILLIS,
            524_288,
            List.of(),
            List.of(),
            0,
            new LiveDetail(List.of(), holders, List.of(), List.of(), 0, 0));
    PoolReport copy =
        new PoolReport(
            "io.netty",
            "4.1.135.Final",
            "swap",
            "",
            List.of(Reports.calm("direct", 0, 1L << 30)),
            0,
            0,
            0,
            LeakReport.EMPTY,
            live,
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    return HostView.of(Reports.host(copy));
  }

  @Test
  void theyAreListedBelowTheSites() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LiveText.write(host(), ReportOptions.FOLDED, out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("Live buffers that keep nearly empty chunks")
        .contains(
            CART + " (hash 28a102a4df4f): 3 chunks of direct memory, 96.0 KiB of 12.0 MiB in use");
  }

  @Test
  void theFilterOfSitesAppliesToThem() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LiveJson.write(host(), new ReportOptions(false, "Cart"), out);
    JsonObject pool =
        JsonParser.object()
            .from(out.toString(StandardCharsets.UTF_8))
            .getArray("pools")
            .getObject(0);
    assertThat(pool.getArray("chunk_holders")).hasSize(1);
    JsonObject holder = pool.getArray("chunk_holders").getObject(0);
    assertThat(holder.getString("site")).isEqualTo(CART);
    assertThat(holder.getLong("used_bytes")).isEqualTo(96 << 10);
    assertThat(holder.getLong("chunk_bytes")).isEqualTo(12 << 20);
  }
}
