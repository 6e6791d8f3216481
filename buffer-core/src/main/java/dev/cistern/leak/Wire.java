/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How reports become bytes and bytes reports again: a reader may live in another class loader,
 * where only the JDK's types are the same.
 */
final class Wire {
  /** Longer texts are cut: a class file's names end at 64 KiB, and nobody reads that far. */
  private static final int MAX_TEXT = 4_096;

  private static final int MAX_ITEMS = 1 << 20;

  private Wire() {}

  /** Writes one part of a report. */
  @FunctionalInterface
  interface Writer<T> {
    void write(T value, DataOutputStream out) throws IOException;
  }

  /** Reads one part of a report. */
  @FunctionalInterface
  interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  static <T> byte[] encode(int version, T value, Writer<T> writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(version);
      writer.write(value, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  static <T> T decode(int version, byte[] encoded, Reader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      int found = in.readInt();
      if (found != version) {
        throw new IllegalArgumentException("version: " + found + " (expected: " + version + ")");
      }
      T value = reader.read(in);
      if (in.available() > 0) {
        throw new IllegalArgumentException(in.available() + " bytes too many");
      }
      return value;
    } catch (IOException | IndexOutOfBoundsException malformed) {
      throw new IllegalArgumentException("not an encoded report", malformed);
    }
  }

  static void text(DataOutputStream out, String text) throws IOException {
    out.writeUTF(text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT));
  }

  static String text(DataInputStream in) throws IOException {
    return in.readUTF();
  }

  static void texts(DataOutputStream out, List<String> texts) throws IOException {
    list(out, texts, (text, to) -> text(to, text));
  }

  static List<String> texts(DataInputStream in) throws IOException {
    return list(in, Wire::text);
  }

  static <T> void list(DataOutputStream out, List<T> values, Writer<T> writer) throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(value, out);
    }
  }

  static <T> List<T> list(DataInputStream in, Reader<T> reader) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > MAX_ITEMS) {
      throw new IllegalArgumentException("items: " + size + " (expected: 0 to " + MAX_ITEMS + ")");
    }
    List<T> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(reader.read(in));
    }
    return values;
  }
}
