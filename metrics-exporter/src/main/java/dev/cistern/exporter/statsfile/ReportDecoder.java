/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.HeapLimit;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.RowCodec;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.RankedLeaks;
import dev.cistern.leak.report.SiteTrend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of reports in stats files, which may contain anything. Unknown fields are skipped,
 * because they belong to a later version.
 */
final class ReportDecoder {
  /** Approximate maximum of the heap of a report. */
  private static final int MAX_HEAP_BYTES = 12 << 20;

  /** Maximum number of characters of a text; the rest of a longer one is cut. */
  private static final int MAX_TEXT = 4_096;

  /** Approximate heap of the objects of a message. */
  private static final int OBJECT_BYTES = 256;

  private static final int REFERENCE_BYTES = 4;

  private static final int LENGTH_BITS = 32;

  private static final int AGES = Age.values().length;

  /** The writer's limit of fields of a message; other fields are not repeated. */
  private static final int MAX_FIELDS = 18;

  private final HeapLimit heap = new HeapLimit(MAX_HEAP_BYTES);
  private final byte[] bytes;
  private final int start;
  private final boolean withFrames;

  /** Offset of each text in {@link #bytes}, shifted by {@link #LENGTH_BITS}, and its length. */
  private long[] texts = new long[256];

  /** Decoded texts, null before their first use. Most texts are frames, which few readers show. */
  private final List<@Nullable String> strings = new ArrayList<>();

  private final List<CallStack> stacks = new ArrayList<>();
  private final List<Parts> copies = new ArrayList<>();
  private final List<Leak> leaks = new ArrayList<>();

  /** The message of a part that is read at once. The next message reuses it. */
  private final Message passing = new Message();

  /** Messages of one copy. */
  private static final class Parts {
    private Message leakSums = new Message();
    private Message liveSums = new Message();
    private final List<Leak> leaks = new ArrayList<>();
    private final List<RankedLeaks> ranked = new ArrayList<>();
    private final List<LiveStack> live = new ArrayList<>();
    private final List<SiteTrend> trends = new ArrayList<>();
  }

  /** A leak, whose last uses follow it. */
  private record Leak(Message fields, List<LeakAccess> accesses, List<LeakAccess> counts) {}

  /** A message of varints and doubles, by field number; the last value of each counts. */
  private static final class Message {
    private final long[] values = new long[MAX_FIELDS];
    private final List<Double> ages = new ArrayList<>();

    long get(int field) {
      return values[field];
    }

    double decimal(int field) {
      return Double.longBitsToDouble(values[field]);
    }

    void clear() {
      Arrays.fill(values, 0);
      ages.clear();
    }
  }

  private ReportDecoder(byte[] bytes, int start, boolean withFrames) {
    this.bytes = bytes;
    this.start = start;
    this.withFrames = withFrames;
  }

  /**
   * A decoded report.
   *
   * @param heapBytes approximate heap of the report
   */
  record Decoded(HostView host, long heapBytes) {}

  /**
   * Decodes a report.
   *
   * @param withFrames whether stacks have their frames, and leaks their last uses
   * @throws StatsFileException if the bytes are not a report, or exceed a limit
   */
  static Decoded decode(byte[] bytes, int start, int length, boolean withFrames)
      throws StatsFileException {
    ReportDecoder decoder = new ReportDecoder(bytes, start, withFrames);
    try {
      HostView host = decoder.read(CodedInputStream.newInstance(bytes, start, length));
      return new Decoded(host, decoder.heap.used());
    } catch (IOException | RuntimeException e) {
      throw new StatsFileException("the report cannot be decoded: " + e.getMessage());
    }
  }

  private HostView read(CodedInputStream in) throws IOException {
    Row row = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        in.skipField(tag);
        continue;
      }
      int field = WireFormat.getTagFieldNumber(tag);
      int limit = in.pushLimit(length(in));
      if (field == ReportEncoder.HOST) {
        row = RowCodec.decode(Schema.host(), in.readRawBytes(in.getBytesUntilLimit()), heap);
        row.rows(CopyFigures.COPY).forEach(copy -> copies.add(new Parts()));
      } else if (field == ReportEncoder.STRING) {
        readText(in);
      } else {
        readPart(field, in);
        in.skipRawBytes(in.getBytesUntilLimit());
      }
      in.popLimit(limit);
    }
    if (row == null) {
      throw new IOException("there is no process in it");
    }
    return new HostView(row, views(row.rows(CopyFigures.COPY)));
  }

  private void readText(CodedInputStream in) throws IOException {
    int number = strings.size();
    int place = start + in.getTotalBytesRead();
    int length = in.getBytesUntilLimit();
    in.skipRawBytes(length);
    heap.chargeText(length, MAX_TEXT);
    if (number == texts.length) {
      texts = Arrays.copyOf(texts, 2 * number);
    }
    texts[number] = (long) place << LENGTH_BITS | length;
    strings.add(null);
  }

  /** Returns the length of a message. The library would use only the lower half of the number. */
  private static int length(CodedInputStream in) throws IOException {
    long length = in.readRawVarint64();
    if (length < 0 || length > Layout.MAX_FILE_BYTES) {
      throw new IOException("length: " + length + " (expected: up to that of the file)");
    }
    return (int) length;
  }

  private void readPart(int field, CodedInputStream in) throws IOException {
    if (field == ReportEncoder.STACK) {
      readStack(in);
    } else if (field == ReportEncoder.ACCESS && withFrames) {
      readAccess(read(in, passing));
    } else if (field >= ReportEncoder.LEAKS
        && field <= ReportEncoder.RANKED
        && field != ReportEncoder.ACCESS) {
      Message message = read(in, isKept(field) ? new Message() : passing);
      readPart(field, message, element("copy", copies, message.get(1)));
    }
  }

  private void readPart(int field, Message message, Parts copy) throws IOException {
    switch (field) {
      case ReportEncoder.LEAKS -> copy.leakSums = message;
      case ReportEncoder.LEAK -> {
        Leak leak =
            withFrames
                ? new Leak(message, new ArrayList<>(0), new ArrayList<>(0))
                : new Leak(message, List.of(), List.of());
        copy.leaks.add(leak);
        leaks.add(leak);
      }
      case ReportEncoder.RANKED -> copy.ranked.add(ranked(message));
      case ReportEncoder.LIVE -> copy.liveSums = message;
      case ReportEncoder.LIVE_STACK -> copy.live.add(live(message));
      case ReportEncoder.TREND -> copy.trends.add(trend(message));
      default -> throw new IllegalStateException("field " + field);
    }
  }

  /** Returns whether a message is used after the next one is read. */
  private static boolean isKept(int field) {
    return field == ReportEncoder.LEAKS
        || field == ReportEncoder.LEAK
        || field == ReportEncoder.LIVE;
  }

  private Message read(CodedInputStream in, Message message) throws IOException {
    heap.charge(OBJECT_BYTES);
    message.clear();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int field = WireFormat.getTagFieldNumber(tag);
      int type = WireFormat.getTagWireType(tag);
      if (type == WireFormat.WIRETYPE_FIXED64 && field == 11) {
        if (message.ages.size() < AGES) {
          message.ages.add(in.readDouble());
        } else {
          in.skipField(tag);
        }
      } else if (type == WireFormat.WIRETYPE_FIXED64 && field < MAX_FIELDS) {
        message.values[field] = in.readRawLittleEndian64();
      } else if (type == WireFormat.WIRETYPE_VARINT && field < MAX_FIELDS) {
        message.values[field] = in.readRawVarint64();
      } else {
        in.skipField(tag);
      }
    }
    return message;
  }

  private void readStack(CodedInputStream in) throws IOException {
    heap.charge(OBJECT_BYTES / 2);
    int site = 0;
    int folded = 0;
    int cut = 0;
    List<String> frames = withFrames ? new ArrayList<>() : List.of();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
        in.skipField(tag);
        continue;
      }
      int value = in.readUInt32();
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> site = value;
        case 2 -> folded = value;
        case 3 -> cut = value;
        case 4 -> {
          if (withFrames && frames.size() < CallStack.MAX_FRAMES) {
            heap.charge(REFERENCE_BYTES);
            frames.add(string(value));
          }
        }
        default -> {}
      }
    }
    stacks.add(
        new CallStack(
            string(site), frames, Math.max(0, Math.min(folded, frames.size())), Math.max(0, cut)));
  }

  private static <T> T element(String name, List<T> of, long number) throws IOException {
    if (number < 0 || number >= of.size()) {
      throw new IOException(name + ": " + number + " (expected: below " + of.size() + ")");
    }
    return of.get((int) number);
  }

  private String string(long number) throws IOException {
    String known = element("string", strings, number);
    if (known != null) {
      return known;
    }
    long text = texts[(int) number];
    String whole =
        new String(bytes, (int) (text >>> LENGTH_BITS), (int) text, StandardCharsets.UTF_8);
    String cut = whole.length() > MAX_TEXT ? whole.substring(0, MAX_TEXT) : whole;
    strings.set((int) number, cut);
    return cut;
  }

  /**
   * Returns a kind of memory. Each has its own series, so that a file must not contain other kinds.
   */
  private String memory(long number) throws IOException {
    String memory = string(number);
    if (!memory.equals("direct") && !memory.equals("heap")) {
      throw new IOException("memory: '" + memory + "' (expected: direct or heap)");
    }
    return memory;
  }

  private static long count(Message message, int field) throws IOException {
    if (message.get(field) < 0) {
      throw new IOException(
          "field " + field + " of a leak: " + message.get(field) + " (expected: 0 or more)");
    }
    return message.get(field);
  }

  private CallStack stack(long number) throws IOException {
    return element("stack", stacks, number);
  }

  private RankedLeaks ranked(Message ranked) throws IOException {
    return new RankedLeaks(
        memory(ranked.get(2)),
        string(ranked.get(3)),
        (int) Math.min(count(ranked, 4), LeakReport.PLACES),
        count(ranked, 5),
        count(ranked, 6));
  }

  private LiveStack live(Message live) throws IOException {
    while (live.ages.size() < AGES) {
      live.ages.add(0.0);
    }
    LiveEstimate estimate =
        new LiveEstimate(
            live.get(5),
            live.decimal(7),
            live.decimal(8),
            live.decimal(9),
            live.decimal(10),
            live.ages);
    return new LiveStack(
        memory(live.get(2)), stack(live.get(3)), live.get(4), live.decimal(6), estimate);
  }

  private SiteTrend trend(Message trend) throws IOException {
    return new SiteTrend(
        memory(trend.get(2)),
        string(trend.get(3)),
        CodedInputStream.decodeZigZag64(trend.get(4)),
        CodedInputStream.decodeZigZag64(trend.get(5)),
        trend.get(6));
  }

  private void readAccess(Message access) throws IOException {
    Leak leak = element("leak", leaks, access.get(1));
    boolean isCount = access.get(2) != 0;
    (isCount ? leak.counts() : leak.accesses())
        .add(
            new LeakAccess(
                string(access.get(3)),
                string(access.get(4)),
                string(access.get(5)),
                access.get(6),
                access.get(7),
                stack(access.get(8))));
  }

  private List<CopyView> views(List<Row> rows) throws IOException {
    List<CopyView> views = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Parts parts = copies.get(i);
      Message live = parts.liveSums;
      views.add(
          new CopyView(
              rows.get(i),
              leaks(parts),
              new LiveReport(live.get(2), live.get(3), parts.live, parts.trends, live.get(4))));
    }
    return views;
  }

  private LeakReport leaks(Parts parts) throws IOException {
    List<LeakEntry> entries = new ArrayList<>();
    Map<String, LeakEntry> others = new LinkedHashMap<>();
    for (Leak leak : parts.leaks) {
      LeakEntry entry = entry(leak);
      if (leak.fields().get(17) != 0) {
        others.merge(entry.memory(), entry, LeakEntry::plus);
      } else {
        entries.add(entry);
      }
    }
    Message sums = parts.leakSums;
    String level = strings.isEmpty() ? "" : string(sums.get(2));
    return new LeakReport(
        level,
        entries,
        List.copyOf(others.values()),
        parts.ranked,
        sums.get(5),
        sums.get(6),
        sums.get(7),
        sums.get(8));
  }

  private LeakEntry entry(Leak leak) throws IOException {
    Message of = leak.fields();
    LeakRecord latest =
        new LeakRecord(
            memory(of.get(7)),
            string(of.get(8)),
            of.get(9),
            of.get(10),
            string(of.get(11)),
            count(of, 12),
            of.get(13),
            stack(of.get(14)),
            leak.accesses(),
            Math.max(0, of.get(15) - leak.accesses().size()),
            leak.counts(),
            Math.max(0, of.get(16) - leak.counts().size()));
    return new LeakEntry(
        count(of, 2), count(of, 3), count(of, 4), count(of, 5), count(of, 6), latest);
  }
}
