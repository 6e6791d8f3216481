/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Codec of rows in the encoding of Protocol Buffers. Each scope is a message, and each figure is a
 * field with the number of its declaration. Readers skip unknown fields, and figures that a file
 * lacks are absent, so that older and newer files can be read.
 */
public final class RowCodec {
  /** Field number of the first histogram, text, label and child; figures begin at 1. */
  static final int HISTOGRAMS = 900;

  static final int TEXTS = 950;
  static final int LABELS = 1_000;
  static final int CHILDREN = 1_100;

  /** Heap of a row, besides its values and texts. */
  private static final int ROW_BYTES = 160;

  /** Maximum number of characters of a text; the rest of a longer one is cut. */
  private static final int MAX_TEXT = 512;

  private final HeapLimit heap;

  private RowCodec(HeapLimit heap) {
    this.heap = heap;
  }

  /** Returns a row with all rows below it as a message. */
  public static byte[] encode(Row row) {
    return message(row).encode();
  }

  private static ProtoMessage message(Row row) {
    ProtoMessage message = new ProtoMessage();
    Scope<?> scope = row.scope();
    for (Figure<?> figure : scope.figures()) {
      long value = row.get(figure);
      if (value != Figure.ABSENT) {
        message.signed(figure.number(), value);
      }
    }
    for (Histogram<?> histogram : scope.histograms()) {
      long[] counts = row.get(histogram);
      if (counts != null) {
        ProtoMessage packed = new ProtoMessage();
        for (long count : counts) {
          packed.packed(CodedOutputStream.encodeZigZag64(count));
        }
        message.message(HISTOGRAMS + histogram.number(), packed);
      }
    }
    for (Text<?> text : scope.texts()) {
      addText(message, TEXTS + text.number(), row.get(text));
    }
    for (int i = 0; i < row.labels().size(); i++) {
      addText(message, LABELS + i, row.labels().get(i));
    }
    for (Row below : row.rows()) {
      message.message(CHILDREN + below.scope().number(), message(below));
    }
    return message;
  }

  private static void addText(ProtoMessage to, int field, String text) {
    if (!text.isEmpty()) {
      to.text(field, text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text);
    }
  }

  /**
   * Reads a row.
   *
   * @param heap limit of the heap for the rows
   * @throws IOException if the bytes are not such a message, or exceed a limit
   */
  public static Row decode(Scope<?> scope, byte[] message, HeapLimit heap) throws IOException {
    return new RowCodec(heap).read(scope, CodedInputStream.newInstance(message));
  }

  private Row read(Scope<?> scope, CodedInputStream in) throws IOException {
    int figures = scope.figures().size();
    heap.charge(ROW_BYTES + (long) Long.BYTES * figures);
    long[] values = new long[figures];
    Arrays.fill(values, Figure.ABSENT);
    String[] texts = new String[scope.texts().size()];
    Arrays.fill(texts, "");
    String[] labels = new String[scope.labels().size()];
    Arrays.fill(labels, "");
    long[][] histograms = new long[scope.histograms().size()][];
    List<Row> rows = new ArrayList<>();
    int[] rowsOfChild = new int[scope.children().size()];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int field = WireFormat.getTagFieldNumber(tag);
      boolean isVarint = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT;
      boolean isBytes = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      if (isVarint && field < HISTOGRAMS) {
        put(scope, field, values, in.readSInt64());
      } else if (isBytes && field >= CHILDREN) {
        readChild(scope, field - CHILDREN, in, rows, rowsOfChild);
      } else if (isBytes && field >= LABELS && field - LABELS < labels.length) {
        labels[field - LABELS] = heap.text(in.readByteArray(), MAX_TEXT);
      } else if (isBytes && field >= TEXTS && field < LABELS) {
        readText(scope, field - TEXTS, in, texts);
      } else if (isBytes && field >= HISTOGRAMS && field < TEXTS) {
        readHistogram(scope, field - HISTOGRAMS, in, histograms);
      } else {
        in.skipField(tag);
      }
    }
    return new Row(scope, List.of(labels), texts, values, histograms, null).withOnly(rows);
  }

  private static void put(Scope<?> scope, int number, long[] values, long value) {
    for (Figure<?> figure : scope.figures()) {
      if (figure.number() == number) {
        values[figure.index()] = value;
        return;
      }
    }
  }

  private void readText(Scope<?> scope, int number, CodedInputStream in, String[] texts)
      throws IOException {
    String text = heap.text(in.readByteArray(), MAX_TEXT);
    for (Text<?> known : scope.texts()) {
      if (known.number() == number) {
        texts[known.index()] = text;
      }
    }
  }

  private void readHistogram(Scope<?> scope, int number, CodedInputStream in, long[][] histograms)
      throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    for (Histogram<?> known : scope.histograms()) {
      if (known.number() == number) {
        long[] counts = new long[known.buckets() + 2];
        heap.charge((long) Long.BYTES * counts.length);
        for (int i = 0; i < counts.length && !in.isAtEnd(); i++) {
          counts[i] = in.readSInt64();
        }
        histograms[known.index()] = counts;
      }
    }
    in.skipRawBytes(in.getBytesUntilLimit());
    in.popLimit(limit);
  }

  private void readChild(
      Scope<?> scope, int number, CodedInputStream in, List<Row> rows, int[] rowsOfChild)
      throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    for (int i = 0; i < rowsOfChild.length; i++) {
      Scope<?> child = scope.children().get(i);
      if (child.number() == number) {
        if (rowsOfChild[i]++ >= child.maxItems()) {
          throw new IOException(child + ": more than " + child.maxItems());
        }
        rows.add(read(child, in));
      }
    }
    in.skipRawBytes(in.getBytesUntilLimit());
    in.popLimit(limit);
  }
}
