/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.schema.ProtoMessage;
import dev.cistern.leak.report.AllocatedStack;
import dev.cistern.leak.report.AllocationEstimate;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Profiles in the format of pprof, as Go's heap profiles: live buffers and, if known, allocations
 * since start. Both are estimates from different samples. The field numbers are those of {@code
 * perftools.profiles.Profile} (profile.proto).
 */
public final class HeapProfile {
  private static final String UNKNOWN_FRAME = "[no stack]";

  private final ProtoMessage profile = new ProtoMessage();

  /** Indices by text, in insertion order; the first text must be empty. */
  private final Map<String, Integer> strings = new LinkedHashMap<>();

  /** Identifiers by name and file, from 1. */
  private final Map<List<String>, Integer> functions = new LinkedHashMap<>();

  /** Identifiers by the line of the stack, from 1. */
  private final Map<String, Integer> locations = new LinkedHashMap<>();

  /** Whether a stack also contains the frames before its site. */
  private final boolean isFull;

  /** Whether samples have labels for their pool and their site. */
  private final boolean isLabelled;

  /** The identity of a sample in a pool. */
  private record Place(String memory, CallStack stack) {}

  private HeapProfile(boolean isFull, boolean isLabelled) {
    this.isFull = isFull;
    this.isLabelled = isLabelled;
    string("");
  }

  /**
   * Returns the profile of all pools of a host, compressed as readers expect.
   *
   * @param allocations allocations by pool; empty if they are not known
   * @param isFull whether stacks have the frames of Netty, the JDK and Cistern before their site;
   *     otherwise each stack begins at its site, and a reader attributes the memory to the site
   */
  public static byte[] gzipped(
      HostView report, Map<String, AllocationReport> allocations, boolean isFull)
      throws IOException {
    return new HeapProfile(isFull, true).gzipped(report, report.copies(), allocations);
  }

  /**
   * Returns the profile of one pool for a store that creates a series for each combination of
   * labels. Samples have the label {@code memory} only, and the site of a sample is its first
   * frame. Sums since start are left out, because such a store adds the profiles.
   */
  static byte[] gzippedSeries(HostView report, CopyView copy) throws IOException {
    return new HeapProfile(false, false).gzipped(report, List.of(copy), Map.of());
  }

  private byte[] gzipped(
      HostView report, List<CopyView> copies, Map<String, AllocationReport> allocations)
      throws IOException {
    byte[] plain = encode(report, copies, allocations);
    return ZippedBody.of(out -> out.write(plain)).zipped();
  }

  private byte[] encode(
      HostView report, List<CopyView> copies, Map<String, AllocationReport> allocations) {
    Set<ProfileValue> values =
        allocations.isEmpty()
            ? EnumSet.range(ProfileValue.INUSE_OBJECTS, ProfileValue.INUSE_SPACE)
            : EnumSet.allOf(ProfileValue.class);
    for (ProfileValue value : values) {
      profile.message(1, pair(value.type(), value.unit()));
    }
    long timeMillis = 0;
    long intervalBytes = 0;
    for (CopyView copy : copies) {
      LiveReport live = copy.live();
      timeMillis = Math.max(timeMillis, live.timeMillis());
      intervalBytes = Math.max(intervalBytes, live.intervalBytes());
      AllocationReport allocated = allocations.getOrDefault(copy.pool(), AllocationReport.EMPTY);
      for (Map.Entry<Place, long[]> sample : samples(live, allocated).entrySet()) {
        writeSample(copy.pool(), sample.getKey(), sample.getValue(), values);
      }
      if (allocated.samples() > 0) {
        writeComment(copy.pool() + ": " + accuracy(allocated));
      }
    }
    profile.number(9, TimeUnit.MILLISECONDS.toNanos(timeMillis));
    profile.message(11, pair("space", "bytes")).number(12, intervalBytes);
    writeComment("Cistern " + report.version());
    if (!report.application().isEmpty()) {
      writeComment(report.application());
    }
    profile.number(14, string(ProfileValue.INUSE_SPACE.type()));
    for (String text : strings.keySet()) {
      profile.text(6, text);
    }
    return profile.encode();
  }

  /** Returns the values of each stack: live buffers and allocations. */
  private static Map<Place, long[]> samples(LiveReport live, AllocationReport allocated) {
    Map<Place, long[]> samples = new LinkedHashMap<>();
    for (LiveStack stack : live.stacks()) {
      long[] values = values(samples, stack.memory(), stack.stack());
      values[ProfileValue.INUSE_OBJECTS.ordinal()] += Math.round(stack.live().buffers());
      values[ProfileValue.INUSE_SPACE.ordinal()] += Math.round(stack.live().bytes());
    }
    for (List<AllocatedStack> part : List.of(allocated.stacks(), allocated.remainder())) {
      for (AllocatedStack stack : part) {
        long[] values = values(samples, stack.memory(), stack.stack());
        values[ProfileValue.ALLOC_OBJECTS.ordinal()] += Math.round(stack.allocated().buffers());
        values[ProfileValue.ALLOC_SPACE.ordinal()] += Math.round(stack.allocated().bytes());
      }
    }
    return samples;
  }

  private static long[] values(Map<Place, long[]> samples, String memory, CallStack stack) {
    return samples.computeIfAbsent(
        new Place(memory, stack), place -> new long[ProfileValue.values().length]);
  }

  /** Returns the standard error of the allocations, as a share of them. */
  private static String accuracy(AllocationReport report) {
    AllocationEstimate all = report.total("direct").plus(report.total("heap"));
    return String.format(
        Locale.ROOT,
        "alloc_space is estimated from %d of %d samples; the standard error of its total is %.1f"
            + " %%",
        all.samples(),
        report.samples(),
        100 * all.bytesError() / Math.max(1, all.bytes()));
  }

  private void writeComment(String text) {
    profile.number(13, string(text));
  }

  private void writeSample(String pool, Place place, long[] estimates, Set<ProfileValue> values) {
    CallStack stack = place.stack();
    ProtoMessage locationIds = new ProtoMessage();
    for (String frame : frames(stack, isFull)) {
      locationIds.packed(location(frame));
    }
    ProtoMessage packed = new ProtoMessage();
    for (ProfileValue value : values) {
      packed.packed(estimates[value.ordinal()]);
    }
    ProtoMessage sample = new ProtoMessage().message(1, locationIds).message(2, packed);
    if (isLabelled) {
      sample.message(3, pair("pool", pool));
    }
    sample.message(3, pair("memory", place.memory()));
    if (isLabelled) {
      sample.message(3, pair("site", stack.site()));
      sample.message(3, pair("site_hash", SiteLabel.hashOfSite(stack.site())));
    }
    profile.message(2, sample);
  }

  /**
   * Returns the frames of a stack for a profile, leaf first.
   *
   * @param isFull whether to include the frames before the site
   */
  static List<String> frames(CallStack stack, boolean isFull) {
    List<String> frames = stack.frames().isEmpty() ? List.of(UNKNOWN_FRAME) : stack.frames();
    return isFull
        ? frames
        : frames.subList(Math.min(stack.folded(), frames.size() - 1), frames.size());
  }

  private long location(String text) {
    Integer known = locations.get(text);
    if (known != null) {
      return known;
    }
    int id = locations.size() + 1;
    locations.put(text, id);
    Frame frame = Frame.parse(text);
    ProtoMessage line = new ProtoMessage().number(1, function(frame)).number(2, frame.line());
    profile.message(4, new ProtoMessage().number(1, id).message(4, line));
    return id;
  }

  private long function(Frame frame) {
    List<String> key = List.of(frame.function(), frame.file());
    Integer known = functions.get(key);
    if (known != null) {
      return known;
    }
    int id = functions.size() + 1;
    functions.put(key, id);
    long name = string(frame.function());
    ProtoMessage function = new ProtoMessage().number(1, id).number(2, name).number(3, name);
    profile.message(5, function.number(4, string(frame.file())));
    return id;
  }

  /** Returns the message of a pair of strings: a label of a sample, or a type of values. */
  private ProtoMessage pair(String first, String second) {
    return new ProtoMessage().number(1, string(first)).number(2, string(second));
  }

  private long string(String text) {
    Integer known = strings.putIfAbsent(text, strings.size());
    return known == null ? strings.size() - 1L : known;
  }
}
