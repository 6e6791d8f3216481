/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.ProfileSchema;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A receiver with Pyroscope's schema reads each field of a push. */
class PyroscopePushTest {
  private static ProfileReceiver.Request push(HostReport report) throws Exception {
    try (ProfileReceiver receiver = new ProfileReceiver()) {
      PushOptions options = PushOptions.pyroscope(receiver.endpoint() + "/");
      return receiver.requestOf(report, options);
    }
  }

  @Test
  void aRequestIsAUnaryCallOfConnect() throws Exception {
    ProfileReceiver.Request request = push(Fixtures.everything());
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/push.v1.PusherService/Push");
    assertThat(request.headers())
        .containsEntry("content-type", "application/proto")
        .containsEntry("connect-protocol-version", "1")
        .containsEntry("connection", "close")
        .containsEntry("content-length", String.valueOf(request.body().length))
        .doesNotContainKeys("authorization", "x-scope-orgid", "content-encoding");
  }

  @Test
  void eachPoolWithLiveBuffersIsASeries() throws Exception {
    HostReport report = Fixtures.everything();
    List<PushSchema.Series> series = PushSchema.read(push(report).body());
    // The second copy has no live buffers.
    assertThat(report.copies()).hasSize(2);
    assertThat(series).hasSize(1);
    assertThat(series.get(0).labels())
        .isEqualTo(
            Map.of(
                "__name__", "memory",
                "service_name", "shop",
                "pool", "io.netty"));
    assertThat(series.get(0).samples()).hasSize(1);
    UUID id = UUID.fromString(series.get(0).samples().get(0).id());
    assertThat(id.version()).isEqualTo(4);
    assertThat(id.variant()).isEqualTo(2);
  }

  @Test
  void podAndContainerAreLabelsAndAServiceWithoutANameHasOne() throws Exception {
    HostReport report = Fixtures.everything();
    HostIdentity inPod = new HostIdentity("00c0ffee00c0ffee", "", "shop-7", "app", 1, "0.1.0", 1);
    HostReport podReport = new HostReport(inPod, report.timeMillis(), 0, report.copies());
    List<PushSchema.Series> series = PushSchema.read(push(podReport).body());
    assertThat(series.get(0).labels())
        .containsEntry("service_name", "unknown_service:java")
        .containsEntry("pod", "shop-7")
        .containsEntry("container", "app");
  }

  @Test
  void theProfileIsOfPprofAndItsOnlyLabelIsTheKindOfMemory() throws Exception {
    List<PushSchema.Series> series = PushSchema.read(push(Fixtures.everything()).body());
    DynamicMessage profile =
        ProfileSchema.read(series.get(0).samples().get(0).rawProfile().toByteArray());
    assertThat(ProfileSchema.parts(profile, "sample_type"))
        .extracting(
            type ->
                ProfileSchema.text(profile, type, "type")
                    + "/"
                    + ProfileSchema.text(profile, type, "unit"))
        .containsExactly("inuse_objects/count", "inuse_space/bytes");
    DynamicMessage period = ProfileSchema.part(profile, "period_type");
    assertThat(ProfileSchema.text(profile, period, "type")).isEqualTo("space");
    assertThat(ProfileSchema.text(profile, period, "unit")).isEqualTo("bytes");
    assertThat(ProfileSchema.number(profile, "period")).isEqualTo(524_288);
    assertThat(ProfileSchema.number(profile, "time_nanos"))
        .isEqualTo((1_795_176_000_000L + 300_000) * 1_000_000);
    List<String> samples = new ArrayList<>();
    for (DynamicMessage sample : ProfileSchema.parts(profile, "sample")) {
      List<DynamicMessage> labels = ProfileSchema.parts(sample, "label");
      assertThat(labels).hasSize(1);
      samples.add(
          ProfileSchema.text(profile, labels.get(0), "key")
              + "="
              + ProfileSchema.text(profile, labels.get(0), "str")
              + " "
              + ProfileSchema.numbers(sample, "value"));
    }
    assertThat(samples)
        .containsExactly(
            "memory=direct [1024, 2097152]",
            "memory=direct [192, 1310720]",
            "memory=heap [32, 524288]");
  }
}
