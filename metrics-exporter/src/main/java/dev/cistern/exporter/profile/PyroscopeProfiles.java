/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.schema.ProtoMessage;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Live profiles in the format of Grafana Pyroscope. The field numbers are those of {@code
 * push.v1.PushRequest} (api/push/v1/push.proto) and {@code types.v1.LabelPair}.
 */
public final class PyroscopeProfiles {
  private PyroscopeProfiles() {}

  /**
   * Returns a request with a series for each pool that has live buffers.
   *
   * @param report a report with the frames of its stacks
   * @param isOther whether the host is another process than this one; then the profile has its ID
   */
  public static byte[] encode(HostView report, boolean isOther) throws IOException {
    ProtoMessage request = new ProtoMessage();
    for (CopyView copy : report.copies()) {
      if (!copy.live().stacks().isEmpty()) {
        request.message(1, series(report, copy, isOther));
      }
    }
    return request.encode();
  }

  private static ProtoMessage series(HostView report, CopyView copy, boolean isOther)
      throws IOException {
    ProtoMessage series = new ProtoMessage();
    addLabel(series, "__name__", "memory"); // name of Go's heap profiles
    addLabel(series, "service_name", report.service());
    addLabel(series, "host_id", isOther ? report.id() : "");
    addLabel(series, "pod", report.pod());
    addLabel(series, "container", report.container());
    addLabel(series, "pool", copy.pool());
    ProtoMessage sample = new ProtoMessage().bytes(1, HeapProfile.gzippedSeries(report, copy));
    return series.message(2, sample.text(2, randomId()));
  }

  /** Adds a label unless its value is empty, because an empty label is the same as no label. */
  private static void addLabel(ProtoMessage series, String name, String value) {
    if (!value.isEmpty()) {
      series.message(1, new ProtoMessage().text(1, name).text(2, value));
    }
  }

  /**
   * Returns a UUID of version 4. It must be unique but not secret, so it uses no entropy of the
   * system.
   */
  private static String randomId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | (1L << 63);
    return new UUID(high, low).toString();
  }
}
