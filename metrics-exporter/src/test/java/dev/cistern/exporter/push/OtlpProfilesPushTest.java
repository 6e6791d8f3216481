/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.io.ByteArrayInputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** A receiver with OpenTelemetry's classes of the pinned version reads each field of a push. */
class OtlpProfilesPushTest {
  private static ProfileReceiver.Request push(HostReport report) throws Exception {
    try (ProfileReceiver receiver = new ProfileReceiver()) {
      PushOptions options =
          PushOptions.otlpProfiles(receiver.endpoint()).withHeaders(Map.of("X-Tenant", "us"));
      return receiver.requestOf(report, options);
    }
  }

  private static ExportProfilesServiceRequest read(HostReport report) throws Exception {
    byte[] body = push(report).body();
    ExportProfilesServiceRequest request =
        ExportProfilesServiceRequest.parseFrom(new GZIPInputStream(new ByteArrayInputStream(body)));
    checkKnown(request);
    return request;
  }

  /** Fails for a field that the published schema does not know. */
  private static void checkKnown(Message message) {
    assertThat(message.getUnknownFields().asMap()).as(message.toString()).isEmpty();
    for (Object value : message.getAllFields().values()) {
      for (Object item : value instanceof List<?> list ? list : List.of(value)) {
        if (item instanceof Message part) {
          checkKnown(part);
        }
      }
    }
  }

  @Test
  void aRequestIsOfOtlpOverHttp() throws Exception {
    ProfileReceiver.Request request = push(Fixtures.everything());
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/v1development/profiles");
    assertThat(request.headers())
        .containsEntry("content-type", "application/x-protobuf")
        .containsEntry("content-encoding", "gzip")
        .containsEntry("otlp-profiles-development-version", "1")
        .containsEntry("x-tenant", "us");
  }

  private static Map<String, String> attributes(List<KeyValue> attributes) {
    Map<String, String> byKey = new LinkedHashMap<>();
    attributes.forEach(
        attribute -> byKey.put(attribute.getKey(), attribute.getValue().getStringValue()));
    return byKey;
  }

  @Test
  void theHostIsTheResource() throws Exception {
    HostReport report = Fixtures.everything();
    ResourceProfiles profiles = read(report).getResourceProfiles(0);
    assertThat(attributes(profiles.getResource().getAttributesList()))
        .isEqualTo(Map.of("service.name", "shop"));
    ScopeProfiles scope = profiles.getScopeProfiles(0);
    assertThat(scope.getScope().getName()).isEqualTo("dev.cistern");
    assertThat(scope.getScope().getVersion()).isEqualTo("0.1.0");
    HostIdentity inPod = new HostIdentity("1", "", "shop-7", "app", 1, "0.1.0", 1);
    ResourceProfiles ofPod =
        read(new HostReport(inPod, report.timeMillis(), 0, report.copies())).getResourceProfiles(0);
    assertThat(attributes(ofPod.getResource().getAttributesList()))
        .isEqualTo(
            Map.of(
                "service.name", "unknown_service:java",
                "k8s.pod.name", "shop-7",
                "k8s.container.name", "app"));
  }

  private static String type(ProfilesDictionary dictionary, ValueType type) {
    return dictionary.getStringTable(type.getTypeStrindex())
        + "/"
        + dictionary.getStringTable(type.getUnitStrindex());
  }

  @Test
  void eachValueHasAProfileTheBytesFirst() throws Exception {
    ExportProfilesServiceRequest request = read(Fixtures.everything());
    ProfilesDictionary dictionary = request.getDictionary();
    assertThat(request.getResourceProfilesCount()).isEqualTo(1);
    assertThat(request.getResourceProfiles(0).getScopeProfilesCount()).isEqualTo(1);
    List<Profile> profiles = request.getResourceProfiles(0).getScopeProfiles(0).getProfilesList();
    assertThat(profiles)
        .extracting(profile -> type(dictionary, profile.getSampleType()))
        .containsExactly("inuse_space/bytes", "inuse_objects/count");
    for (Profile profile : profiles) {
      assertThat(type(dictionary, profile.getPeriodType())).isEqualTo("space/bytes");
      assertThat(profile.getPeriod()).isEqualTo(524_288);
      assertThat(profile.getTimeUnixNano()).isEqualTo((1_795_176_000_000L + 300_000) * 1_000_000);
      assertThat(profile.getDurationNano()).isZero(); // a profile of one moment
      assertThat(profile.getProfileId().size()).isEqualTo(16);
    }
    assertThat(profiles.get(0).getProfileId()).isNotEqualTo(profiles.get(1).getProfileId());
    assertThat(profiles.get(0).getSamplesList())
        .extracting(sample -> values(dictionary, sample))
        .containsExactly(
            "{pool=io.netty, memory=direct} [2097152]",
            "{pool=io.netty, memory=direct} [1310720]",
            "{pool=io.netty, memory=heap} [524288]");
    assertThat(profiles.get(1).getSamplesList())
        .extracting(Sample::getValuesList)
        .containsExactly(List.of(1024L), List.of(192L), List.of(32L));
  }

  private static String values(ProfilesDictionary dictionary, Sample sample) {
    assertThat(sample.getLinkIndex()).isZero();
    assertThat(sample.getTimestampsUnixNanoList()).isEmpty();
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int index : sample.getAttributeIndicesList()) {
      KeyValueAndUnit attribute = dictionary.getAttributeTable(index);
      attributes.put(
          dictionary.getStringTable(attribute.getKeyStrindex()),
          attribute.getValue().getStringValue());
    }
    return attributes + " " + sample.getValuesList();
  }

  /** Returns the frames of a sample, leaf first. */
  private static List<String> frames(ProfilesDictionary dictionary, Sample sample) {
    return dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList().stream()
        .map(index -> frame(dictionary, dictionary.getLocationTable(index)))
        .toList();
  }

  private static String frame(ProfilesDictionary dictionary, Location location) {
    assertThat(location.getMappingIndex()).isZero();
    assertThat(location.getAddress()).isZero();
    assertThat(location.getLinesCount()).isEqualTo(1);
    KeyValueAndUnit frameType = dictionary.getAttributeTable(location.getAttributeIndices(0));
    assertThat(dictionary.getStringTable(frameType.getKeyStrindex()))
        .isEqualTo("profile.frame.type");
    assertThat(frameType.getValue().getStringValue()).isEqualTo("jvm");
    Line line = location.getLines(0);
    Function function = dictionary.getFunctionTable(line.getFunctionIndex());
    assertThat(function.getSystemNameStrindex()).isEqualTo(function.getNameStrindex());
    return dictionary.getStringTable(function.getNameStrindex())
        + " "
        + dictionary.getStringTable(function.getFilenameStrindex())
        + " "
        + line.getLine();
  }

  @Test
  void stacksBeginAtTheirSites() throws Exception {
    ExportProfilesServiceRequest request = read(Fixtures.everything());
    Profile profile = request.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
    assertThat(profile.getSamplesList())
        .extracting(sample -> frames(request.getDictionary(), sample))
        .containsExactly(
            List.of("com.shop.Menu.render Source.java 11", "com.shop.Server.handle  0"),
            List.of("com.shop.Cart.encode Source.java 42", "com.shop.Server.handle  0"),
            List.of("[no stack]  0"));
  }

  /** Index 0 of each table means "not set". */
  @Test
  void theTablesBeginWithADefault() throws Exception {
    ProfilesDictionary dictionary = read(Fixtures.everything()).getDictionary();
    assertThat(dictionary.getMappingTableList()).hasSize(1);
    assertThat(dictionary.getLinkTableList()).hasSize(1);
    assertThat(dictionary.getStringTable(0)).isEmpty();
    assertThat(
            List.of(
                dictionary.getMappingTable(0),
                dictionary.getLocationTable(0),
                dictionary.getFunctionTable(0),
                dictionary.getAttributeTable(0),
                dictionary.getStackTable(0)))
        .allSatisfy(message -> assertThat(message.getSerializedSize()).isZero());
    assertThat(dictionary.getLinkTable(0).getTraceId().toByteArray()).isEqualTo(new byte[16]);
    assertThat(dictionary.getLinkTable(0).getSpanId().toByteArray()).isEqualTo(new byte[8]);
    assertThat(dictionary.getStringTableList()).doesNotHaveDuplicates();
    assertThat(dictionary.getStackTableList()).hasSize(4).doesNotHaveDuplicates();
    assertThat(dictionary.getLocationTableList()).hasSize(5).doesNotHaveDuplicates();
    assertThat(dictionary.getFunctionTableList()).hasSize(5).doesNotHaveDuplicates();
    assertThat(dictionary.getAttributeTableList()).hasSize(5).doesNotHaveDuplicates();
  }
}
