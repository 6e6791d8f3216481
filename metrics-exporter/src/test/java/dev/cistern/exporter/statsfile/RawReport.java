/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import com.google.protobuf.CodedOutputStream;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.RowCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports that no writer writes, and their files. */
final class RawReport {
  /** Field of a copy in the message of a process. */
  static final int COPY = 1_101;

  /** Field of a pool in the message of a copy. */
  static final int POOL = 1_101;

  /** Field of the first label in each message of a row. */
  static final int LABEL = 1_000;

  private final HostIdentity host;
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final ByteArrayOutputStream rows = new ByteArrayOutputStream();
  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stacks = new ByteArrayOutputStream();

  /** Writes the fields of a message. */
  @FunctionalInterface
  interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  /** Creates a report with the values of the process, but without copies. */
  RawReport(HostIdentity host) {
    this.host = host;
    rows.writeBytes(RowCodec.encode(Schema.host().read(new HostReport(host, 1, 0, List.of()))));
  }

  static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.write(out);
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Adds fields to the message of the process. */
  RawReport row(Fields fields) {
    rows.writeBytes(message(fields));
    return this;
  }

  RawReport copies(int count) {
    for (int i = 0; i < count; i++) {
      String pool = "pool" + i;
      row(out -> out.writeByteArray(COPY, message(copy -> copy.writeString(LABEL, pool))));
    }
    return this;
  }

  /** Returns the number of a text. */
  int string(String text) {
    return strings.computeIfAbsent(text, unused -> strings.size());
  }

  /** Adds a message to the report. */
  RawReport part(int field, Fields fields) {
    ByteArrayOutputStream to = field == ReportEncoder.STACK ? stacks : parts;
    byte[] message = message(fields);
    to.writeBytes(message(out -> out.writeByteArray(field, message)));
    return this;
  }

  /** Adds a stack with a site and this number of frames. */
  RawReport stack(String site, int frames) {
    int frame = string("frame");
    int number = string(site);
    return part(
        ReportEncoder.STACK,
        out -> {
          out.writeUInt32(1, number);
          for (int i = 0; i < frames; i++) {
            out.writeUInt32(4, frame);
          }
        });
  }

  /** Adds a leak of the first copy with the first stack. */
  RawReport leak(String memory, Fields more) {
    int number = string(memory);
    return part(
        ReportEncoder.LEAK,
        out -> {
          out.writeUInt32(7, number);
          more.write(out);
        });
  }

  byte[] content() {
    return message(
        out -> {
          out.writeByteArray(ReportEncoder.HOST, rows.toByteArray());
          for (String text : strings.keySet()) {
            out.writeString(ReportEncoder.STRING, text);
          }
          out.writeRawBytes(stacks.toByteArray());
          out.writeRawBytes(parts.toByteArray());
        });
  }

  byte[] file() {
    return file(host, content());
  }

  /** Returns a file with one frame. */
  static byte[] file(HostIdentity host, byte[] content) {
    int slotBytes = (Layout.FRAME_HEADER_BYTES + content.length + 7) & -Layout.WORD;
    int bytes = Layout.HEADER_BYTES + slotBytes;
    byte[] made = Arrays.copyOf(HeaderWriter.header(host, bytes, 1_000), bytes);
    Images.put(made, Layout.slotAt(0), Layout.HEADER_BYTES);
    Images.put(made, Layout.slotAt(0) + Layout.WORD, slotBytes);
    Images.put(made, Layout.slotAt(1), Layout.HEADER_BYTES);
    Images.put(made, Layout.slotAt(1) + Layout.WORD, 0);
    Images.put(made, Layout.READY_AT, Layout.READY);
    Images.put(made, Layout.HEADER_BYTES + Layout.SEQUENCE_AT, 2);
    Images.put(made, Layout.HEADER_BYTES + Layout.LENGTH_AT, content.length);
    int at = Layout.HEADER_BYTES + Layout.FRAME_HEADER_BYTES;
    System.arraycopy(content, 0, made, at, content.length);
    Images.seal(made);
    return made;
  }
}
