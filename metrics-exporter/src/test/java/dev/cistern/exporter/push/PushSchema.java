/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.cistern.exporter.ProfileSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of requests, with the schema of Grafana Pyroscope: the messages of {@code push.v1} and
 * {@code types.v1} with the published names, numbers and types of their fields.
 */
final class PushSchema {
  private static final Descriptor REQUEST = request();

  private PushSchema() {}

  /** A series of a request. */
  record Series(Map<String, String> labels, List<Sample> samples) {}

  /** A sample of a series. */
  record Sample(ByteString rawProfile, String id) {}

  /** Reads a request; fails for a field that the schema does not know. */
  static List<Series> read(byte[] request) throws IOException {
    DynamicMessage message = DynamicMessage.parseFrom(REQUEST, request);
    ProfileSchema.checkKnown(message);
    List<Series> all = new ArrayList<>();
    for (DynamicMessage series : ProfileSchema.parts(message, "series")) {
      Map<String, String> labels = new LinkedHashMap<>();
      for (DynamicMessage label : ProfileSchema.parts(series, "labels")) {
        String name = (String) ProfileSchema.value(label, "name");
        if (labels.put(name, (String) ProfileSchema.value(label, "value")) != null) {
          throw new AssertionError("label " + name + " is there twice");
        }
      }
      List<Sample> samples =
          ProfileSchema.parts(series, "samples").stream()
              .map(
                  sample ->
                      new Sample(
                          (ByteString) ProfileSchema.value(sample, "raw_profile"),
                          (String) ProfileSchema.value(sample, "ID")))
              .toList();
      all.add(new Series(labels, samples));
    }
    return all;
  }

  private static Descriptor request() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("push.proto")
            .setPackage("push.v1")
            .setSyntax("proto3")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("PushRequest")
                    .addField(parts("series", 1, "RawProfileSeries")))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("RawProfileSeries")
                    .addField(parts("labels", 1, "LabelPair"))
                    .addField(parts("samples", 2, "RawSample")))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("RawSample")
                    .addField(field("raw_profile", 1, FieldDescriptorProto.Type.TYPE_BYTES))
                    .addField(field("ID", 2, FieldDescriptorProto.Type.TYPE_STRING)))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("LabelPair")
                    .addField(field("name", 1, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_STRING)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0])
          .findMessageTypeByName("PushRequest");
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder parts(String name, int number, String type) {
    return field(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE)
        .setTypeName(".push.v1." + type)
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }
}
