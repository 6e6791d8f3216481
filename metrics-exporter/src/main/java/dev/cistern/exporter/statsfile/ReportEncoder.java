/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.ChannelFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HolderFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.schema.ProtoMessage;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.RowCodec;
import dev.cistern.exporter.schema.Scope;
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
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Encoder of a report for a stats file, in the encoding of Protocol Buffers;
 * docs/internals/stats-file.md has the messages. Parts that do not fit are left out and counted,
 * the least important first: the last uses of leaks, the frames of stacks (their sites stay), live
 * stacks. Within each, the largest stay.
 */
final class ReportEncoder {
  /** Fields of the report. */
  static final int HOST = 1;

  static final int STRING = 2;
  static final int STACK = 3;
  static final int LEAKS = 4;
  static final int LEAK = 5;
  static final int LIVE = 6;
  static final int LIVE_STACK = 7;
  static final int TREND = 8;
  static final int ACCESS = 9;
  static final int RANKED = 10;

  /**
   * Space that is reserved for the leaks of sites that are not in the report: one message for each
   * kind of memory.
   */
  private static final int OTHERS_BYTES = 2_048;

  /** Space for the tag and the length of a message. */
  private static final int MESSAGE_OVERHEAD = 6;

  /** Rows that are left out if there is little space for the figures. */
  private static final Set<Scope<?>> DETAIL =
      Set.of(
          PoolFigures.ARENA,
          PoolFigures.SIZE,
          HolderFigures.HELD,
          HolderFigures.PINNED,
          ChannelFigures.CHANNEL,
          ChannelFigures.SHAPE);

  private static final Comparator<LiveOf> LARGEST_LIVE_FIRST =
      Comparator.comparingDouble((LiveOf each) -> each.stack().live().bytes()).reversed();

  private final int limit;
  private int used;
  private long dropped;
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final Map<CallStack, Integer> stackNumbers = new HashMap<>();
  private final List<Stack> stacks = new ArrayList<>();
  private final ProtoMessage body = new ProtoMessage();

  /** Counts before the current message, which are restored if the message does not fit. */
  private int knownStrings;

  private int knownStacks;
  private int usedBefore;

  private record LiveOf(int copy, LiveStack stack) {}

  private record AccessOf(int leak, boolean isCount, LeakAccess access) {}

  /** A stack, at first without its frames. */
  private static final class Stack {
    private final CallStack stack;
    private double weight;
    private boolean hasFrames;

    Stack(CallStack stack) {
      this.stack = stack;
    }
  }

  private ReportEncoder(int limit) {
    this.limit = limit;
  }

  /**
   * An encoded report.
   *
   * @param bytes the message
   * @param dropped rows, stacks and uses that were left out
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Encoded(byte[] bytes, long dropped) {}

  /**
   * Encodes a report.
   *
   * @param limit maximum size in bytes
   * @throws StatsFileException if the report does not fit, however much is left out
   */
  static Encoded encode(HostView host, int limit) throws StatsFileException {
    ReportEncoder encoder = new ReportEncoder(limit);
    byte[] encoded = encoder.encode(host);
    if (encoded.length > limit) {
      throw new StatsFileException(
          "the report has "
              + encoded.length
              + " bytes, limit: "
              + limit
              + "; statsFileBytes raises it");
    }
    return new Encoded(encoded, encoder.dropped);
  }

  private byte[] encode(HostView host) {
    byte[] rows = RowCodec.encode(host.row());
    if (rows.length > limit / 2) {
      rows = RowCodec.encode(withoutDetail(host.row()));
    }
    used = rows.length + MESSAGE_OVERHEAD;
    for (CopyView copy : host.copies()) {
      used += copy.isDiagnosed() ? OTHERS_BYTES : 0;
    }
    List<LeakEntry> leaks = new ArrayList<>();
    List<LiveOf> live = new ArrayList<>();
    for (int i = 0; i < host.copies().size(); i++) {
      CopyView copy = host.copies().get(i);
      if (copy.isDiagnosed()) {
        encodeSums(i, copy);
        encodeLeaks(i, copy.leaks(), leaks);
        int number = i;
        copy.live().stacks().forEach(stack -> live.add(new LiveOf(number, stack)));
      }
    }
    encodeLive(live);
    encodeFrames();
    encodeAccesses(leaks);
    return whole(rows);
  }

  /** Encodes the live buffers. The largest are selected first; the order of the report stays. */
  private void encodeLive(List<LiveOf> live) {
    List<LiveOf> largestFirst = new ArrayList<>(live);
    largestFirst.sort(LARGEST_LIVE_FIRST);
    IdentityHashMap<LiveOf, ProtoMessage> chosen = new IdentityHashMap<>();
    for (LiveOf each : largestFirst) {
      ProtoMessage message = live(each);
      if (fits(message)) {
        chosen.put(each, message);
      }
    }
    for (LiveOf each : live) {
      ProtoMessage message = chosen.get(each);
      if (message != null) {
        body.message(LIVE_STACK, message);
      }
    }
  }

  /** Returns the row without the rows of {@link #DETAIL}. */
  private Row withoutDetail(Row row) {
    List<Row> kept = new ArrayList<>();
    for (Row below : row.rows()) {
      if (DETAIL.contains(below.scope())) {
        dropped++;
      } else {
        kept.add(withoutDetail(below));
      }
    }
    return row.withOnly(kept);
  }

  private void encodeSums(int copy, CopyView of) {
    LeakReport leaks = of.leaks();
    offer(
        LEAKS,
        begin(copy)
            .number(2, string(leaks.level()))
            .number(5, leaks.watched())
            .number(6, leaks.notWatched())
            .number(7, leaks.withoutStack())
            .number(8, leaks.failures()));
    LiveReport live = of.live();
    offer(
        LIVE,
        begin(copy)
            .number(2, live.timeMillis())
            .number(3, live.intervalBytes())
            .number(4, live.trendsDropped()));
    for (SiteTrend trend : live.trends()) {
      offer(
          TREND,
          begin(copy)
              .number(2, string(trend.memory()))
              .number(3, string(trend.site()))
              .signed(4, trend.minuteBytes())
              .signed(5, trend.fiveMinutesBytes())
              .number(6, trend.suspectSinceMillis()));
    }
  }

  /** Encodes the leaks. Sites that do not fit are added to the sum of the other sites. */
  private void encodeLeaks(int copy, LeakReport of, List<LeakEntry> encoded) {
    for (RankedLeaks ranked : of.ranked()) {
      offer(
          RANKED,
          begin(copy)
              .number(2, string(ranked.memory()))
              .number(3, string(ranked.site()))
              .number(4, ranked.place())
              .number(5, ranked.found())
              .number(6, ranked.bytes()));
    }
    Map<String, LeakEntry> others = new LinkedHashMap<>();
    of.others().forEach(other -> others.merge(other.memory(), other, LeakEntry::plus));
    for (LeakEntry leak : of.entries()) {
      if (offer(LEAK, leak(copy, leak, false))) {
        encoded.add(leak);
      } else {
        others.merge(leak.memory(), leak, LeakEntry::plus);
      }
    }
    used -= OTHERS_BYTES;
    for (LeakEntry other : others.values()) {
      if (offer(LEAK, leak(copy, other, true))) {
        encoded.add(other);
      }
    }
  }

  private ProtoMessage leak(int copy, LeakEntry leak, boolean isOfOthers) {
    LeakRecord latest = leak.latest();
    return begin(copy)
        .number(2, leak.found())
        .number(3, leak.buffers())
        .number(4, leak.bytes())
        .number(5, leak.firstSeenMillis())
        .number(6, leak.lastSeenMillis())
        .number(7, string(latest.memory()))
        .number(8, string(latest.kind()))
        .number(9, latest.requestedBytes())
        .number(10, latest.slotBytes())
        .number(11, string(latest.thread()))
        .number(12, latest.allocatedMillis())
        .number(13, latest.ageMillis())
        .number(14, stack(leak.stack(), (double) leak.bytes()))
        .number(15, latest.accessesDropped() + latest.accesses().size())
        .number(16, latest.countsDropped() + latest.counts().size())
        .number(17, isOfOthers ? 1 : 0);
  }

  private ProtoMessage live(LiveOf of) {
    LiveStack live = of.stack();
    LiveEstimate estimate = live.live();
    ProtoMessage out =
        begin(of.copy())
            .number(2, string(live.memory()))
            .number(3, stack(live.stack(), estimate.bytes()))
            .number(4, live.oldestMillis())
            .number(5, estimate.samples())
            .decimal(6, live.lostBytes())
            .decimal(7, estimate.buffers())
            .decimal(8, estimate.buffersVariance())
            .decimal(9, estimate.bytes())
            .decimal(10, estimate.bytesVariance());
    for (double bytesOfAge : estimate.bytesByAge()) {
      out.decimal(11, bytesOfAge);
    }
    return out;
  }

  /** Adds the frames of stacks while they fit; stacks with the most bytes come first. */
  private void encodeFrames() {
    List<Stack> largestFirst = new ArrayList<>(stacks);
    largestFirst.sort(Comparator.comparingDouble((Stack each) -> each.weight).reversed());
    for (Stack each : largestFirst) {
      encodeFrames(each);
    }
  }

  private void encodeFrames(Stack each) {
    mark();
    each.hasFrames = true;
    used += addFrames(new ProtoMessage(), each.stack).length();
    if (used > limit) {
      each.hasFrames = false;
      forget();
    }
  }

  private void encodeAccesses(List<LeakEntry> leaks) {
    List<AccessOf> all = new ArrayList<>();
    for (int i = 0; i < leaks.size(); i++) {
      int leak = i;
      LeakRecord latest = leaks.get(i).latest();
      latest.accesses().forEach(access -> all.add(new AccessOf(leak, false, access)));
      latest.counts().forEach(access -> all.add(new AccessOf(leak, true, access)));
    }
    for (AccessOf each : all) {
      int firstStack = stacks.size();
      LeakAccess access = each.access();
      boolean isKept =
          offer(
              ACCESS,
              begin(each.leak())
                  .number(2, each.isCount() ? 1 : 0)
                  .number(3, string(access.operation()))
                  .number(4, string(access.hint()))
                  .number(5, string(access.thread()))
                  .number(6, access.sinceMillis())
                  .number(7, access.repeats())
                  .number(8, stack(access.stack(), 0)));
      if (isKept && stacks.size() > firstStack) {
        encodeFrames(stacks.get(firstStack));
      }
    }
  }

  private void mark() {
    knownStrings = strings.size();
    knownStacks = stacks.size();
    usedBefore = used;
  }

  /** Begins a message whose first field is a number, such as that of its copy. */
  private ProtoMessage begin(int number) {
    mark();
    return new ProtoMessage().number(1, number);
  }

  /** Adds the last begun message if it fits. */
  private boolean offer(int field, ProtoMessage begun) {
    boolean fits = fits(begun);
    if (fits) {
      body.message(field, begun);
    }
    return fits;
  }

  /** Returns whether the last begun message fits; otherwise counts it. */
  private boolean fits(ProtoMessage begun) {
    used += begun.length() + MESSAGE_OVERHEAD;
    boolean fits = used <= limit;
    if (!fits) {
      forget();
    }
    return fits;
  }

  /** Removes the texts and stacks of the last begun message, and counts it. */
  private void forget() {
    while (stacks.size() > knownStacks) {
      stackNumbers.remove(stacks.remove(stacks.size() - 1).stack);
    }
    strings.values().removeIf(number -> number >= knownStrings);
    used = usedBefore;
    dropped++;
  }

  private int string(String text) {
    Integer known = strings.get(text);
    if (known != null) {
      return known;
    }
    used += 3 * text.length() + MESSAGE_OVERHEAD; // maximum size in UTF-8
    strings.put(text, strings.size());
    return strings.size() - 1;
  }

  private int stack(CallStack stack, double weight) {
    Integer known = stackNumbers.get(stack);
    if (known == null) {
      known = stacks.size();
      stackNumbers.put(stack, known);
      stacks.add(new Stack(stack));
      used += 2 * MESSAGE_OVERHEAD;
      int unused = string(stack.site());
    }
    stacks.get(known).weight += weight;
    return known;
  }

  private ProtoMessage addFrames(ProtoMessage to, CallStack stack) {
    int kept = Math.min(CallStack.MAX_FRAMES, stack.frames().size());
    for (String frame : stack.frames().subList(0, kept)) {
      to.number(4, string(frame));
    }
    return to;
  }

  private byte[] whole(byte[] rows) {
    ProtoMessage head = new ProtoMessage().bytes(HOST, rows);
    for (String text : strings.keySet()) {
      head.text(STRING, text);
    }
    for (Stack each : stacks) {
      head.message(STACK, stack(each));
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head.encode());
    whole.writeBytes(body.encode());
    return whole.toByteArray();
  }

  private ProtoMessage stack(Stack each) {
    CallStack stack = each.stack;
    int kept = each.hasFrames ? Math.min(CallStack.MAX_FRAMES, stack.frames().size()) : 0;
    ProtoMessage message = new ProtoMessage().number(1, string(stack.site()));
    message.number(2, Math.min(stack.folded(), kept));
    message.number(3, stack.cutFrames() + stack.frames().size() - kept);
    return each.hasFrames ? addFrames(message, stack) : message;
  }
}
