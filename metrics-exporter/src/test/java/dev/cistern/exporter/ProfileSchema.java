/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** A reader of profiles, with the part of pprof's schema that heap profiles use. */
public final class ProfileSchema {
  private static final Descriptor PROFILE = profile();

  private ProfileSchema() {}

  /** Unzips and reads a profile; fails for a field that the schema does not know. */
  public static DynamicMessage read(byte[] zipped) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      DynamicMessage profile = DynamicMessage.parseFrom(PROFILE, in);
      checkKnown(profile);
      return profile;
    } catch (IOException e) {
      throw new AssertionError("not a profile", e);
    }
  }

  /** Fails if a message or a part of it has a field that its schema does not know. */
  public static void checkKnown(DynamicMessage message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new AssertionError("unknown fields: " + message.getUnknownFields());
    }
    for (Object value : message.getAllFields().values()) {
      for (Object item : value instanceof List<?> list ? list : List.of(value)) {
        if (item instanceof DynamicMessage part) {
          checkKnown(part);
        }
      }
    }
  }

  /** Returns the value of a field. */
  public static Object value(DynamicMessage message, String field) {
    return message.getField(field(message, field));
  }

  /** Returns the value of a field that is a number. */
  public static long number(DynamicMessage message, String field) {
    return (Long) value(message, field);
  }

  /** Returns the messages of a repeated field. */
  public static List<DynamicMessage> parts(DynamicMessage message, String field) {
    return ((List<?>) message.getField(field(message, field)))
        .stream().map(DynamicMessage.class::cast).toList();
  }

  /** Returns the message of a field. */
  public static DynamicMessage part(DynamicMessage message, String field) {
    return (DynamicMessage) message.getField(field(message, field));
  }

  /** Returns the numbers of a repeated field. */
  public static List<Long> numbers(DynamicMessage message, String field) {
    return ((List<?>) message.getField(field(message, field)))
        .stream().map(Long.class::cast).toList();
  }

  /** Returns the text that a field of {@code message} points to. */
  public static String text(DynamicMessage profile, DynamicMessage message, String field) {
    List<?> strings = (List<?>) profile.getField(field(profile, "string_table"));
    return (String) strings.get((int) number(message, field));
  }

  private static FieldDescriptor field(DynamicMessage message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }

  private static Descriptor profile() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("profile.proto")
            .setPackage("perftools.profiles")
            .setSyntax("proto3")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Profile")
                    .addField(messages("sample_type", 1, "ValueType"))
                    .addField(messages("sample", 2, "Sample"))
                    .addField(messages("location", 4, "Location"))
                    .addField(messages("function", 5, "Function"))
                    .addField(repeated("string_table", 6, FieldDescriptorProto.Type.TYPE_STRING))
                    .addField(single("time_nanos", 9, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("duration_nanos", 10, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(message("period_type", 11, "ValueType"))
                    .addField(single("period", 12, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(repeated("comment", 13, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(
                        single("default_sample_type", 14, FieldDescriptorProto.Type.TYPE_INT64)))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("ValueType")
                    .addField(single("type", 1, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("unit", 2, FieldDescriptorProto.Type.TYPE_INT64)))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Sample")
                    .addField(repeated("location_id", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(repeated("value", 2, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(messages("label", 3, "Label")))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Label")
                    .addField(single("key", 1, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("str", 2, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("num", 3, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("num_unit", 4, FieldDescriptorProto.Type.TYPE_INT64)))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Location")
                    .addField(single("id", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(single("mapping_id", 2, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(single("address", 3, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(messages("line", 4, "Line")))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Line")
                    .addField(single("function_id", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(single("line", 2, FieldDescriptorProto.Type.TYPE_INT64)))
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("Function")
                    .addField(single("id", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                    .addField(single("name", 2, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("system_name", 3, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("filename", 4, FieldDescriptorProto.Type.TYPE_INT64))
                    .addField(single("start_line", 5, FieldDescriptorProto.Type.TYPE_INT64)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("Profile");
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static FieldDescriptorProto.Builder single(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder repeated(
      String name, int number, FieldDescriptorProto.Type type) {
    return single(name, number, type).setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }

  private static FieldDescriptorProto.Builder message(String name, int number, String type) {
    return single(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE)
        .setTypeName(".perftools.profiles." + type);
  }

  private static FieldDescriptorProto.Builder messages(String name, int number, String type) {
    return message(name, number, type).setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
  }
}
