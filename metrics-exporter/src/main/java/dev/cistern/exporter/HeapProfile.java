/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.google.protobuf.CodedOutputStream;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * The live profile in the format of pprof, as Go's heap profiles: what is in use, estimated. The
 * field numbers are those of {@code perftools.profiles.Profile} (profile.proto).
 */
final class HeapProfile {
  private static final String UNKNOWN_FRAME = "[no stack]";

  /** Messages are small, and each has a buffer of its own. */
  private static final int BUFFER_BYTES = 128;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 << 10);
  private final CodedOutputStream profile = CodedOutputStream.newInstance(bytes);

  /** By text, in the order of their indices; the first must be empty. */
  private final Map<String, Integer> strings = new LinkedHashMap<>();

  /** By name and file; identifiers start at 1. */
  private final Map<List<String>, Integer> functions = new LinkedHashMap<>();

  /** By the line of the stack; identifiers start at 1. */
  private final Map<String, Integer> locations = new LinkedHashMap<>();

  /** Writes the fields of one message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  /** Whether a stack begins with the frames before its site, too. */
  private final boolean isFull;

  private HeapProfile(boolean isFull) {
    this.isFull = isFull;
    string("");
  }

  /**
   * Returns the profile of all pools of a host, compressed, as its readers expect it. Each stack
   * begins at its site, to which a reader ascribes what it holds.
   */
  static byte[] gzipped(HostReport report) throws IOException {
    return gzipped(report, false);
  }

  /**
   * As {@link #gzipped(HostReport)}.
   *
   * @param isFull true for stacks with the frames of Netty, the JDK and Cistern before the site
   */
  static byte[] gzipped(HostReport report, boolean isFull) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(new HeapProfile(isFull).encode(report));
    }
    return zipped.toByteArray();
  }

  private byte[] encode(HostReport report) throws IOException {
    write(1, valueType("inuse_objects", "count"));
    write(1, valueType("inuse_space", "bytes"));
    long timeMillis = 0;
    long intervalBytes = 0;
    for (CopyReport copy : report.copies()) {
      LiveReport live = copy.live();
      timeMillis = Math.max(timeMillis, live.timeMillis());
      intervalBytes = Math.max(intervalBytes, live.intervalBytes());
      for (LiveStack stack : live.stacks()) {
        writeSample(copy.pool(), stack);
      }
    }
    profile.writeInt64(9, TimeUnit.MILLISECONDS.toNanos(timeMillis));
    write(11, valueType("space", "bytes"));
    profile.writeInt64(12, intervalBytes);
    profile.writeInt64(13, string("Cistern " + report.host().version()));
    if (!report.application().isEmpty()) {
      profile.writeInt64(13, string(report.application()));
    }
    profile.writeInt64(14, string("inuse_space"));
    for (String text : strings.keySet()) {
      // Not writeString, which logs where a text is not well-formed.
      profile.writeByteArray(6, text.getBytes(StandardCharsets.UTF_8));
    }
    profile.flush();
    return bytes.toByteArray();
  }

  private void writeSample(String pool, LiveStack stack) throws IOException {
    byte[] locationIds = message(out -> writeLocationIds(out, stack.stack()));
    write(
        2,
        sample -> {
          sample.writeByteArray(1, locationIds);
          sample.writeByteArray(2, message(out -> writeValues(out, stack)));
          writeLabel(sample, "pool", pool);
          writeLabel(sample, "memory", stack.memory());
          writeLabel(sample, "site", stack.stack().site());
          writeLabel(sample, "site_hash", SiteLabel.hashOfSite(stack.stack().site()));
        });
  }

  private static void writeValues(CodedOutputStream out, LiveStack stack) throws IOException {
    out.writeInt64NoTag(Math.round(stack.live().buffers()));
    out.writeInt64NoTag(Math.round(stack.live().bytes()));
  }

  private void writeLabel(CodedOutputStream sample, String key, String value) throws IOException {
    byte[] label =
        message(
            out -> {
              out.writeInt64(1, string(key));
              out.writeInt64(2, string(value));
            });
    sample.writeByteArray(3, label);
  }

  /** Leaf first. */
  private void writeLocationIds(CodedOutputStream out, CallStack stack) throws IOException {
    List<String> frames = stack.frames().isEmpty() ? List.of(UNKNOWN_FRAME) : stack.frames();
    if (!isFull) {
      frames = frames.subList(Math.min(stack.folded(), frames.size() - 1), frames.size());
    }
    for (String frame : frames) {
      out.writeUInt64NoTag(location(frame));
    }
  }

  private long location(String text) throws IOException {
    Integer known = locations.get(text);
    if (known != null) {
      return known;
    }
    int id = locations.size() + 1;
    locations.put(text, id);
    Frame frame = Frame.parse(text);
    long function = function(frame);
    write(
        4,
        location -> {
          location.writeUInt64(1, id);
          byte[] line =
              message(
                  out -> {
                    out.writeUInt64(1, function);
                    out.writeInt64(2, frame.line());
                  });
          location.writeByteArray(4, line);
        });
    return id;
  }

  private long function(Frame frame) throws IOException {
    List<String> key = List.of(frame.function(), frame.file());
    Integer known = functions.get(key);
    if (known != null) {
      return known;
    }
    int id = functions.size() + 1;
    functions.put(key, id);
    write(
        5,
        function -> {
          function.writeUInt64(1, id);
          function.writeInt64(2, string(frame.function()));
          function.writeInt64(3, string(frame.function()));
          function.writeInt64(4, string(frame.file()));
        });
    return id;
  }

  private Fields valueType(String type, String unit) {
    return out -> {
      out.writeInt64(1, string(type));
      out.writeInt64(2, string(unit));
    };
  }

  private long string(String text) {
    Integer known = strings.putIfAbsent(text, strings.size());
    return known == null ? strings.size() - 1L : known;
  }

  private void write(int field, Fields message) throws IOException {
    profile.writeByteArray(field, message(message));
  }

  private static byte[] message(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER_BYTES);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }
}
