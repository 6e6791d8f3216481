/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static dev.cistern.microbench.SeedFigure.Unit.NANOSECONDS;
import static dev.cistern.microbench.SeedFigure.Unit.OPERATIONS_PER_MILLISECOND;
import static dev.cistern.microbench.SeedFigure.Unit.OPERATIONS_PER_SECOND;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The published results of the seed benchmarks, by the name of the case that reproduces them. The
 * cases of I9 and UTF-8 of an {@code AsciiString} have none.
 */
final class SeedFigures {
  private static final Map<String, SeedFigure> BY_CASE = new LinkedHashMap<>();

  static {
    uncached("direct/8KiB", "pooledDirectAllocAndFree 8192", 215.392, 3656.744);
    uncached("direct/16KiB", "pooledDirectAllocAndFree 16384", 594.625, 4087.152);
    uncached("direct/64KiB", "pooledDirectAllocAndFree 65536", 1221.520, 4058.814);
    uncached("heap/8KiB", "pooledHeapAllocAndFree 8192", 217.175, 3640.355);
    uncached("heap/16KiB", "pooledHeapAllocAndFree 16384", 587.250, 4030.206);
    uncached("heap/64KiB", "pooledHeapAllocAndFree 65536", 1217.023, 4103.991);

    text("ascii/string/buffer", "writeAsciiString", 4_788_597.415, 9_695_177.968);
    text("ascii/ascii-string/buffer", "writeAscii", 3_234_841.565, 9_398_165.238);
    text("ascii/string/wrapper", "writeAsciiStringWrapped", 4_722_297.435, 4_028_689.762);
    text("ascii/ascii-string/wrapper", "writeAsciiWrapped", 3_311_387.474, 3_379_764.250);
    text("utf8/string/buffer", "writeUtf8String", 3_564_548.995, 5_682_733.440);
    text("utf8/string/wrapper", "writeUtf8StringWrapped", 3_621_053.671, 2_634_029.071);

    recycler("0", 116_026_994.130, 204_158_855.315);
    recycler("1024", 118_290_272.413, 209_906_801.437);
    recycler("16384", 114_726_607.428, 215_940_902.649);
    recycler("65536", 119_385_917.899, 211_141_994.206);

    perSecond("I4/get", "fastThreadLocal, against jdkThreadLocalGet", 35_481.888, 55_452.027);

    count("contended/delay-1", "retainRelease_contended 1", 804.579, 383.436);
    count("contended/delay-10", "retainRelease_contended 10", 785.376, 474.429);
    count("alone/delay-1", "retainRelease_uncontended 1", 48.610, 52.269);
    count("alone/delay-10", "retainRelease_uncontended 10", 62.599, 62.290);

    perSecond("I6/with-hint/8", "recordWithHint 8", 4_220.979, 71_677.882);
    perSecond("I6/with-hint/16", "recordWithHint 16", 2_250.734, 38_660.176);
    perSecond("I6/with-hint-of-buffer/16", "recordWithHint 16", 2_250.734, 38_660.176);

    list("1", 24_853_764.609, 26_670_751.661);
    list("4", 17_310_636.508, 25_166_421.089);
  }

  private SeedFigures() {}

  /** Returns the published result of a case, or null if there is none. */
  static @Nullable SeedFigure of(Case one) {
    return BY_CASE.get(one.id);
  }

  /** Returns all published results by the names of cases. */
  static Map<String, SeedFigure> all() {
    return Map.copyOf(BY_CASE);
  }

  private static void uncached(String end, String benchmark, double before, double after) {
    BY_CASE.put(
        "I1-no-cache/" + end + "/plain",
        new SeedFigure(benchmark, OPERATIONS_PER_MILLISECOND, before, after));
  }

  /**
   * Adds a text result. Its result before the change writes the array of the text's {@code
   * getBytes}.
   */
  private static void text(String end, String benchmark, double before, double after) {
    perSecond("I2/write-" + end, benchmark + ", against ...ViaArray", before, after);
  }

  private static void recycler(String bytes, double before, double after) {
    perSecond("I3/same-thread/" + bytes, "recycleSameThread " + bytes, before, after);
  }

  private static void count(String end, String benchmark, double before, double after) {
    BY_CASE.put("I5/" + end, new SeedFigure(benchmark, NANOSECONDS, before, after));
  }

  private static void list(String elements, double before, double after) {
    perSecond(
        "I7/add-and-clear/" + elements,
        "codecOutList " + elements + ", against arrayList",
        before,
        after);
  }

  private static void perSecond(String id, String benchmark, double before, double after) {
    BY_CASE.put(id, new SeedFigure(benchmark, OPERATIONS_PER_SECOND, before, after));
  }
}
