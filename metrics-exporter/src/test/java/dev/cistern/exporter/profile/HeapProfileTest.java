/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import static dev.cistern.exporter.ProfileSchema.number;
import static dev.cistern.exporter.ProfileSchema.numbers;
import static dev.cistern.exporter.ProfileSchema.part;
import static dev.cistern.exporter.ProfileSchema.parts;
import static dev.cistern.exporter.ProfileSchema.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.cistern.exporter.ProfileSchema;
import dev.cistern.exporter.Reports;
import dev.cistern.exporter.SiteLabelTest;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.AllocatedStack;
import dev.cistern.leak.report.AllocationEstimate;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class HeapProfileTest {
  private static DynamicMessage profile(HostReport report) throws IOException {
    return ProfileSchema.read(HeapProfile.gzipped(HostView.of(report), Map.of(), true));
  }

  private static DynamicMessage profile(CallStack stack) throws IOException {
    LiveStack live = new LiveStack("direct", stack, 0, 0, Reports.estimate(1, 4096));
    LiveReport report = Reports.live(List.of(live), List.of());
    return profile(Reports.host(Reports.copy("io.netty", LeakReport.EMPTY, report)));
  }

  /** Returns the frames of a sample, leaf first, as function, file and line. */
  private static List<String> frames(DynamicMessage profile, DynamicMessage sample) {
    Map<Long, DynamicMessage> locations = new HashMap<>();
    parts(profile, "location").forEach(l -> locations.put(number(l, "id"), l));
    Map<Long, DynamicMessage> functions = new HashMap<>();
    parts(profile, "function").forEach(f -> functions.put(number(f, "id"), f));
    return numbers(sample, "location_id").stream()
        .map(
            id -> {
              DynamicMessage line = parts(locations.get(id), "line").get(0);
              DynamicMessage function = functions.get(number(line, "function_id"));
              return text(profile, function, "name")
                  + " "
                  + text(profile, function, "filename")
                  + " "
                  + number(line, "line");
            })
        .toList();
  }

  private static Map<String, String> labels(DynamicMessage profile, DynamicMessage sample) {
    Map<String, String> labels = new HashMap<>();
    parts(sample, "label")
        .forEach(label -> labels.put(text(profile, label, "key"), text(profile, label, "str")));
    return labels;
  }

  private static String type(DynamicMessage profile, DynamicMessage valueType) {
    return text(profile, valueType, "type") + "/" + text(profile, valueType, "unit");
  }

  @Test
  void aStackBeginsAtItsSiteUnlessTheWholeStackIsRequested() throws Exception {
    CallStack stack =
        new CallStack("a.B.c:2", List.of("io.netty.X.y(X.java:1)", "a.B.c(B.java:2)"), 1, 0);
    LiveStack live = new LiveStack("direct", stack, 0, 0, Reports.estimate(1, 4096));
    HostReport host =
        Reports.host(
            Reports.copy("io.netty", LeakReport.EMPTY, Reports.live(List.of(live), List.of())));
    DynamicMessage folded =
        ProfileSchema.read(HeapProfile.gzipped(HostView.of(host), Map.of(), false));
    assertThat(frames(folded, parts(folded, "sample").get(0))).containsExactly("a.B.c B.java 2");
    DynamicMessage full =
        ProfileSchema.read(HeapProfile.gzipped(HostView.of(host), Map.of(), true));
    assertThat(frames(full, parts(full, "sample").get(0)))
        .containsExactly("io.netty.X.y X.java 1", "a.B.c B.java 2");
  }

  @Test
  void itIsAHeapProfileOfLiveBuffers() throws Exception {
    DynamicMessage profile = profile(Reports.host());
    assertThat(parts(profile, "sample_type"))
        .extracting(type -> type(profile, type))
        .containsExactly("inuse_objects/count", "inuse_space/bytes");
    assertThat(text(profile, profile, "default_sample_type")).isEqualTo("inuse_space");
    assertThat(type(profile, part(profile, "period_type"))).isEqualTo("space/bytes");
    assertThat(number(profile, "period")).isEqualTo(524_288);
    assertThat(number(profile, "time_nanos"))
        .isEqualTo((Reports.NOON_MILLIS + 300_000) * 1_000_000);
    assertThat(profile.getField(profile.getDescriptorForType().findFieldByName("string_table")))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .startsWith("")
        .doesNotHaveDuplicates();
  }

  @Test
  void eachMemoryAndStackIsASampleWithItsEstimateAndLabels() throws Exception {
    DynamicMessage profile = profile(Reports.host());
    List<DynamicMessage> samples = parts(profile, "sample");
    assertThat(samples).hasSize(3); // two of the four stacks are equal
    DynamicMessage cart = samples.get(1);
    assertThat(numbers(cart, "value")).containsExactly(192L, 5L << 18);
    assertThat(labels(profile, cart))
        .containsEntry("pool", "io.netty")
        .containsEntry("memory", "direct")
        .containsEntry("site", "com.shop.Cart.encode:42")
        .containsEntry("site_hash", SiteLabelTest.CART_HASH);
    assertThat(frames(profile, cart))
        .containsExactly(
            "io.netty.buffer.AbstractByteBufAllocator.buffer AbstractByteBufAllocator.java 116",
            "com.shop.Cart.encode Source.java 42",
            "com.shop.Server.handle  0");
    assertThat(frames(profile, samples.get(2))).containsExactly("[no stack]  0");
  }

  @Test
  void allocatedBytesAreInTheSamplesOfTheirStacksWithTheirError() throws Exception {
    HostView host = HostView.of(Reports.host());
    LiveStack cart = host.copies().get(0).live().stacks().get(1);
    CallStack till =
        new CallStack("com.shop.Till.open:3", List.of("com.shop.Till.open(T.java:3)"), 0, 0);
    AllocationReport allocated =
        new AllocationReport(
            0,
            Reports.NOON_MILLIS,
            4_000,
            4,
            List.of(
                new AllocatedStack("direct", cart.stack(), estimate(600, 5_000, 1L << 30)),
                new AllocatedStack("heap", till, estimate(300, 40, 1L << 20))),
            List.of(new AllocatedStack("heap", CallStack.NONE, estimate(100, 7, 7_000))));
    DynamicMessage profile =
        ProfileSchema.read(HeapProfile.gzipped(host, Map.of("io.netty", allocated), true));
    assertThat(parts(profile, "sample_type"))
        .extracting(type -> type(profile, type))
        .containsExactly(
            "alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes");
    List<DynamicMessage> samples = parts(profile, "sample");
    assertThat(numbers(samples.get(1), "value")).containsExactly(5_000L, 1L << 30, 192L, 5L << 18);
    assertThat(samples)
        .extracting(sample -> numbers(sample, "value"))
        .contains(List.of(40L, 1L << 20, 0L, 0L));
    long sum = samples.stream().mapToLong(sample -> numbers(sample, "value").get(1)).sum();
    assertThat(sum).isEqualTo((1L << 30) + (1L << 20) + 7_000);
    assertThat(numbers(profile, "comment"))
        .extracting(index -> String.valueOf(strings(profile).get(index.intValue())))
        .contains(
            "io.netty: alloc_space is estimated from 1000 of 4000 samples; the standard error of its"
                + " total is 10.0 %");
  }

  private static AllocationEstimate estimate(long samples, double buffers, double bytes) {
    return new AllocationEstimate(samples, buffers, 1, bytes, bytes * bytes / 100);
  }

  private static List<?> strings(DynamicMessage profile) {
    return (List<?>)
        profile.getField(profile.getDescriptorForType().findFieldByName("string_table"));
  }

  @Test
  void framesAndFunctionsAreSharedByTheStacks() throws Exception {
    DynamicMessage profile = profile(Reports.host());
    // Four stacks: one without frames, two of one site; the stacks share the other frames.
    assertThat(parts(profile, "location")).hasSize(5);
    assertThat(parts(profile, "function")).hasSize(5);
  }

  @Test
  void aHostWithoutAnythingGivesAValidProfile() throws Exception {
    DynamicMessage none = profile(Reports.host(new PoolReport[0]));
    assertThat(parts(none, "sample")).isEmpty();
    assertThat(parts(none, "sample_type")).hasSize(2);
    PoolReport empty = Reports.copy("io.netty", LeakReport.EMPTY, LiveReport.EMPTY);
    assertThat(parts(profile(Reports.host(empty)), "sample")).isEmpty();
  }

  @Test
  void framesOfAnyFormAreKept() throws Exception {
    List<String> lines =
        List.of(
            "java.lang.Thread.run0(Native Method)",
            "a.B$C.lambda$d$0(B.kt:3)",
            "a.B.in one (or two) steps(B.kt:12)",
            "a.B.noLine(B.java)",
            "a.B.odd(B.java:x)",
            "nothing like it",
            "",
            "a.B.half\ud800(B.java:1)");
    DynamicMessage profile = profile(new CallStack("a.B.c:3", lines, 0, 0));
    assertThat(frames(profile, parts(profile, "sample").get(0)))
        .containsExactly(
            "java.lang.Thread.run0  0",
            "a.B$C.lambda$d$0 B.kt 3",
            "a.B.in one (or two) steps B.kt 12",
            "a.B.noLine B.java 0",
            "a.B.odd B.java:x 0",
            "nothing like it  0",
            "  0",
            "a.B.half? B.java 1");
  }

  @Test
  void aRecursionIsShownAsDeepAsItIs() throws Exception {
    List<String> lines = Collections.nCopies(128, "a.B.again(B.java:7)");
    DynamicMessage profile = profile(new CallStack("a.B.again:7", lines, 0, 900));
    assertThat(frames(profile, parts(profile, "sample").get(0))).hasSize(128);
    assertThat(parts(profile, "location")).hasSize(1);
  }
}
