/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.util.ArrayList;
import java.util.List;

/**
 * One finding of the agent.
 *
 * @param kind such as leak
 * @param confidence low, medium or high
 * @param what the sentence for people
 */
public record Finding(String kind, String confidence, String what) {
  /** Returns whether the confidence is high. */
  public boolean isHigh() {
    return confidence.equals("high");
  }

  /** Returns whether a healthy process may have it. */
  public boolean isHarmless() {
    return confidence.equals("low");
  }

  /**
   * Returns the findings of a verdict in their order.
   *
   * @param json answer to {@code GET /verdict?format=json}
   * @throws IllegalArgumentException if it is no verdict
   */
  public static List<Finding> parse(String json) {
    JsonArray entries;
    try {
      entries = JsonParser.object().from(json).getArray("findings");
    } catch (JsonParserException e) {
      throw new IllegalArgumentException("verdict: no JSON: " + json, e);
    }
    if (entries == null) {
      throw new IllegalArgumentException("verdict: no findings in " + json);
    }
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      JsonObject entry = entries.getObject(i);
      findings.add(
          new Finding(
              entry.getString("kind", "?"),
              entry.getString("confidence", "?"),
              entry.getString("what", "")));
    }
    return List.copyOf(findings);
  }
}
