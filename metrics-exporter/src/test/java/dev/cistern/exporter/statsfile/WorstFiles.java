/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import java.util.LinkedHashMap;
import java.util.Map;

/** Stats files that are small on disk, and as large as possible in memory. */
public final class WorstFiles {
  /** Field of an arena in the message of a pool. */
  private static final int ARENA = 1_103;

  private WorstFiles() {}

  /** Returns the files that a reader accepts, by their main content. */
  public static Map<String, byte[]> accepted(HostIdentity host) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("leaks", leaks(host, 32_000));
    files.put("live_stacks", liveStacks(host, 32_000));
    files.put("arenas", arenas(host, 16, 1_000));
    files.put("accesses", accesses(host, 32_000));
    files.put("stacks", stacks(host, 60_000, 1, 0));
    files.put("sites", stacks(host, 40_000, 40_000, 0));
    files.put("frames", stacks(host, 8_000, 1, 128));
    files.put("unknown", unknown(host, 600_000));
    return files;
  }

  /** Returns the files that a reader refuses. */
  public static Map<String, byte[]> refused(HostIdentity host) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("leaks", leaks(host, 100_000));
    files.put("live_stacks", liveStacks(host, 100_000));
    files.put("arenas", arenas(host, 64, 1_024));
    files.put("sites", stacks(host, 80_000, 80_000, 0));
    byte[] large = leaks(host, 1);
    int bytes = Layout.MAX_FILE_BYTES;
    large = Images.resized(large, bytes);
    Images.put(large, Layout.slotAt(0) + Layout.WORD, bytes - Layout.HEADER_BYTES);
    files.put("slot", large);
    byte[] twice = leaks(host, 1);
    Images.put(twice, Layout.slotAt(1) + Layout.WORD, Layout.get(twice, Layout.slotAt(0) + 8));
    files.put("overlap", twice);
    return files;
  }

  /** Returns the file of a host that died: without a heartbeat for ten minutes. */
  public static byte[] dead(byte[] file) {
    byte[] dead = file.clone();
    Images.put(dead, Layout.HEARTBEAT_MILLIS_AT, System.currentTimeMillis() - 600_000);
    return dead;
  }

  /** Returns the file with another sequence, as if a process had written it again. */
  public static byte[] again(byte[] file, long sequence) {
    byte[] changed = file.clone();
    Images.put(changed, Images.slotAt(file, 0) + Layout.SEQUENCE_AT, sequence);
    return changed;
  }

  /** Returns the file with a longer interval between its reports. */
  public static byte[] withInterval(byte[] file, long millis) {
    byte[] changed = file.clone();
    Images.put(changed, Layout.INTERVAL_MILLIS_AT, millis);
    return changed;
  }

  /** Returns the file of another host. */
  public static byte[] of(HostIdentity other, byte[] file) {
    byte[] changed = file.clone();
    Images.put(changed, Layout.HOST_ID_AT, Long.parseUnsignedLong(other.id(), 16));
    return changed;
  }

  private static RawReport report(HostIdentity host) {
    return new RawReport(host).copies(1).stack("site", 0);
  }

  private static byte[] leaks(HostIdentity host, int count) {
    RawReport report = report(host);
    for (int i = 0; i < count; i++) {
      report.leak("heap", out -> {});
    }
    return report.file();
  }

  private static byte[] liveStacks(HostIdentity host, int count) {
    RawReport report = report(host);
    int memory = report.string("heap");
    for (int i = 0; i < count; i++) {
      report.part(ReportEncoder.LIVE_STACK, out -> out.writeUInt32(2, memory));
    }
    return report.file();
  }

  private static byte[] arenas(HostIdentity host, int copies, int arenas) {
    RawReport report = new RawReport(host);
    byte[] pool =
        RawReport.message(
            out -> {
              out.writeString(RawReport.LABEL, "heap");
              for (int i = 0; i < arenas; i++) {
                out.writeByteArray(ARENA, new byte[0]);
              }
            });
    for (int i = 0; i < copies; i++) {
      String name = "p" + i;
      byte[] copy =
          RawReport.message(
              out -> {
                out.writeString(RawReport.LABEL, name);
                out.writeByteArray(RawReport.POOL, pool);
              });
      report.row(out -> out.writeByteArray(RawReport.COPY, copy));
    }
    return report.file();
  }

  private static byte[] accesses(HostIdentity host, int count) {
    RawReport report = report(host).leak("heap", out -> out.writeInt64(2, 1));
    for (int i = 0; i < count; i++) {
      report.part(ReportEncoder.ACCESS, out -> {});
    }
    return report.file();
  }

  private static byte[] stacks(HostIdentity host, int count, int sites, int frames) {
    RawReport report = report(host);
    for (int i = 0; i < count; i++) {
      report.stack("水" + i % sites, frames);
    }
    return report.file();
  }

  private static byte[] unknown(HostIdentity host, int count) {
    return report(host)
        .row(
            out -> {
              for (int i = 0; i < count; i++) {
                out.writeBool(899, true);
              }
            })
        .file();
  }
}
