/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.Locale;

/** Messages of the stats file that follow from the declarations of the metrics. */
public final class SchemaProto {
  private final StringBuilder text = new StringBuilder();

  private SchemaProto() {}

  /** Returns the message of a scope; it contains the messages of the scopes below it. */
  public static String of(Scope<?> scope) {
    SchemaProto proto = new SchemaProto();
    proto.message(scope, "");
    return proto.text.toString();
  }

  private void message(Scope<?> scope, String indent) {
    text.append(indent).append("message ").append(name(scope)).append(" {\n");
    String inner = indent + "  ";
    for (Figure<?> figure : scope.figures()) {
      text.append(inner).append("// ").append(figure.help()).append('\n');
      field(inner, "optional sint64", figure.key(), figure.number(), unit(figure.unit()));
    }
    for (Histogram<?> histogram : scope.histograms()) {
      text.append(inner).append("// ").append(histogram.help()).append('\n');
      field(
          inner,
          "repeated sint64",
          histogram.key(),
          RowCodec.HISTOGRAMS + histogram.number(),
          "  // count of each bucket, then the sum of all values; bucket 0 ends at 2^"
              + histogram.firstExponent());
    }
    for (Text<?> each : scope.texts()) {
      field(inner, "bytes", each.key(), RowCodec.TEXTS + each.number(), "");
    }
    for (int i = 0; i < scope.labels().size(); i++) {
      field(inner, "bytes", "label_" + scope.labels().get(i), RowCodec.LABELS + i, "");
    }
    for (Scope<?> child : scope.children()) {
      field(inner, "repeated " + name(child), child.key(), RowCodec.CHILDREN + child.number(), "");
    }
    scope.children().forEach(child -> message(child, inner));
    text.append(indent).append("}\n");
  }

  private void field(String indent, String type, String name, int number, String comment) {
    text.append(indent).append(type).append(' ').append(name).append(" = ").append(number);
    text.append(';').append(comment).append('\n');
  }

  private static String unit(Unit unit) {
    return switch (unit) {
      case MILLIS -> "  // in milliseconds";
      case MICROS -> "  // in microseconds";
      case NANOS -> "  // in nanoseconds";
      case COUNT, BYTES -> "";
    };
  }

  /** Returns a name such as {@code SizeGroup} for {@code size_groups}. */
  private static String name(Scope<?> scope) {
    StringBuilder name = new StringBuilder();
    for (String word : scope.key().split("_", -1)) {
      name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    String plural = name.toString();
    if (!plural.endsWith("s")) {
      return plural;
    }
    return plural.endsWith("ies")
        ? plural.substring(0, plural.length() - 3) + "y"
        : plural.substring(0, plural.length() - 1);
  }
}
