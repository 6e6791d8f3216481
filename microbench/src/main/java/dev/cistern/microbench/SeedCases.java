/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The benchmarks of the seed tables, except the uncached ones in {@link Cases} and those that need
 * a server. Each case measures Cistern, Netty and, if it has a counterpart, the JDK in one run. The
 * name of each case begins with its id in docs/internals/requirements.md.
 */
final class SeedCases {
  private static final List<Variant> TWO = List.of(Variant.LIBRARY, Variant.NETTY);
  private static final List<Variant> THREE = List.of(Variant.LIBRARY, Variant.NETTY, Variant.JDK);

  private final List<Case> all = new ArrayList<>();

  private SeedCases() {
    text();
    recycler();
    threadLocals();
    referenceCounts();
    leakRecords();
    outputLists();
    longs();
    settings();
    unpooled();
    sampling();
    outbound();
  }

  static List<Case> all() {
    return new SeedCases().all;
  }

  /**
   * Does the same as {@link #add} for a benchmark that starts with much uncompiled code or fresh
   * memory.
   */
  private Case addLonger(String id, String benchmark, List<Variant> variants, Target target) {
    Case added = new Case(id, benchmark, ThreadKind.LOOP, variants).inPair().aimingAt(target);
    all.add(added);
    return added;
  }

  private Case add(String id, String benchmark, List<Variant> variants, Target target) {
    Case added =
        new Case(id, benchmark, ThreadKind.LOOP, variants).inPair().brief().aimingAt(target);
    all.add(added);
    return added;
  }

  /**
   * Adds the text cases. Every library copies an {@code AsciiString}, so there is little to gain.
   */
  private void text() {
    for (String into : new String[] {"buffer", "wrapper"}) {
      encode("write-ascii/string/", "writeAscii", "STRING", into, Target.TEXT);
      encode("write-ascii/ascii-string/", "writeAscii", "ASCII_STRING", into, Target.NO_SLOWER);
      encode("write-utf8/string/", "writeUtf8", "BEYOND_ASCII", into, Target.TEXT);
      encode("write-utf8/ascii-string/", "writeUtf8", "ASCII_STRING", into, Target.NO_SLOWER);
    }
  }

  private void encode(String what, String method, String text, String into, Target target) {
    add("I2/" + what + into, "rows.EncodeBenchmark." + method, THREE, target)
        .with("text", text)
        .with("into", into.toUpperCase(Locale.ROOT));
  }

  private void recycler() {
    for (int bytes : new int[] {0, 1024, 16_384, 65_536}) {
      add("I3/same-thread/" + bytes, "RecyclerBenchmark.getOnLoop", TWO, Target.RECYCLER)
          .with("payload", bytes);
    }
  }

  private void threadLocals() {
    add("I4/get", "rows.ThreadLocalsBenchmark.getOnLoop", THREE, Target.NO_SLOWER);
    add(
        "I9/thread-local-slow-path",
        "rows.ThreadLocalsBenchmark.getOnPlain",
        THREE,
        Target.NO_SLOWER);
  }

  private void referenceCounts() {
    for (String method : new String[] {"contended", "alone"}) {
      for (int delay : new int[] {1, 10}) {
        add(
                "I5/" + method + "/delay-" + delay,
                "rows.RetainBenchmark." + method,
                TWO,
                Target.NO_SLOWER)
            .with("delay", delay);
      }
    }
  }

  private void leakRecords() {
    for (int records : new int[] {8, 16}) {
      leakRecords("I6/with-hint/", "LeakRecordBenchmark.record", records);
    }
    leakRecords("I6/with-hint-of-buffer/", "LeakRecordBenchmark.recordOfBuffer", 16);
  }

  private void leakRecords(String id, String benchmark, int records) {
    addLonger(id + records, benchmark, TWO, Target.LEAK_RECORD).with("records", records);
  }

  private void outputLists() {
    List<Variant> lists =
        List.of(Variant.LIBRARY, Variant.NETTY, Variant.NETTY_ARRAY_LIST, Variant.JDK);
    for (int elements : new int[] {1, 4}) {
      add(
              "I7/add-and-clear/" + elements,
              "rows.OutputListBenchmark.addAndClear",
              lists,
              Target.NO_SLOWER)
          .with("elements", elements);
    }
  }

  private void longs() {
    for (String memory : new String[] {"DIRECT", "HEAP"}) {
      String end = "/" + memory.toLowerCase(Locale.ROOT);
      longs("I9/big-endian" + end, THREE, Target.NO_SLOWER, memory, "BUFFER", "RANDOM");
      add("I9/little-endian" + end, "rows.LongsBenchmark.littleEndian", THREE, Target.NO_SLOWER)
          .with("memory", memory)
          .with("view", "BUFFER")
          .with("places", "RANDOM");
    }
    longs("I9/slice/direct", THREE, Target.DERIVED, "DIRECT", "SLICE", "RANDOM");
    longs("I9/duplicate/direct", THREE, Target.DERIVED, "DIRECT", "DUPLICATE", "RANDOM");
    longs("I9/aligned/direct", THREE, Target.NO_SLOWER, "DIRECT", "BUFFER", "ALIGNED");
    longs("I9/not-aligned/direct", THREE, Target.NO_SLOWER, "DIRECT", "BUFFER", "ACROSS");
  }

  private void longs(
      String id, List<Variant> variants, Target target, String memory, String view, String places) {
    add(id, "rows.LongsBenchmark.bigEndian", variants, target)
        .with("memory", memory)
        .with("view", view)
        .with("places", places);
  }

  /** Adds variants of {@code I9/big-endian} with different settings. */
  private void settings() {
    List<Variant> unchecked = List.of(Variant.LIBRARY_UNCHECKED, Variant.NETTY_UNCHECKED);
    longs("I9/checks-off/direct", unchecked, Target.NO_SLOWER, "DIRECT", "BUFFER", "RANDOM");
    longs("I9/checks-off/heap", unchecked, Target.NO_SLOWER, "HEAP", "BUFFER", "RANDOM");
    longs(
        "I9/no-raw-access/heap",
        List.of(Variant.LIBRARY, Variant.NETTY_NO_UNSAFE, Variant.JDK),
        Target.NO_SLOWER,
        "HEAP",
        "BUFFER",
        "RANDOM");
  }

  private void unpooled() {
    unpooled(
        "I9/without-cleaner",
        "withoutCleaner",
        List.of(Variant.LIBRARY, Variant.LIBRARY_RESTLESS, Variant.NETTY),
        65_536);
    unpooled(
        "I9/with-cleaner",
        "withCleaner",
        List.of(Variant.LIBRARY, Variant.LIBRARY_RESTLESS, Variant.NETTY_CLEANER, Variant.JDK),
        65_536);
    List<Variant> arrays =
        List.of(Variant.LIBRARY_OPENED, Variant.LIBRARY, Variant.NETTY, Variant.JDK);
    unpooled("I9/array", "array", arrays, 1024);
    unpooled("I9/array", "array", arrays, 65_536);
  }

  private void unpooled(String id, String method, List<Variant> variants, int bytes) {
    addLonger(id + "/" + bytes, "rows.UnpooledBenchmark." + method, variants, Target.NO_SLOWER)
        .with("bytes", bytes);
  }

  private void sampling() {
    add("I9/sampling/detector", "rows.SamplingBenchmark.askDetector", TWO, Target.NO_SLOWER);
    add("I9/sampling/mask-or-modulo", "rows.SamplingBenchmark.choose", THREE, Target.NO_SLOWER);
  }

  private void outbound() {
    for (String channel : new String[] {"sink", "null"}) {
      addLonger("H1/gather/" + channel, "rows.OutboundBenchmark.gather", TWO, Target.OUTBOUND)
          .with("channel", channel);
      addLonger(
              "H1/allocate-and-gather/" + channel,
              "rows.OutboundBenchmark.allocateAndGather",
              TWO,
              Target.OUTBOUND)
          .with("channel", channel);
    }
  }
}
