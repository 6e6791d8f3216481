/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The catalogue of metrics, which the exporter's tests generate from the declarations. */
public final class Catalogue {
  private Catalogue() {}

  /** A metric of the catalogue. */
  public record Row(String type, String unit, Set<String> labels, String meaning) {}

  /** Returns every metric by its exposed name. */
  public static Map<String, Row> rows() {
    Map<String, Row> rows = new TreeMap<>();
    JsonObject catalogue;
    try {
      catalogue =
          JsonParser.object().from(Files.readString(Repository.path("dashboards/metrics.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JsonParserException e) {
      throw new IllegalStateException(e);
    }
    catalogue.forEach(
        (name, entry) -> {
          JsonObject row = (JsonObject) entry;
          rows.put(
              name,
              new Row(
                  row.getString("type"),
                  row.getString("unit"),
                  names(row.getArray("labels")),
                  row.getString("help")));
        });
    return rows;
  }

  private static Set<String> names(JsonArray labels) {
    Set<String> names = new TreeSet<>();
    labels.forEach(label -> names.add((String) label));
    return names;
  }
}
