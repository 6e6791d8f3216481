/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A media type or range, such as {@code text/plain; version=0.0.4} or {@code text/*}.
 *
 * @param type the first half, in lower case
 * @param subtype the second half, in lower case
 * @param parameters names in lower case, values without quotes
 */
public record MediaType(String type, String subtype, Map<String, String> parameters) {
  private static final String ANY = "*";

  /** Parses one media type. A malformed text becomes a type that matches nothing. */
  public static MediaType parse(String text) {
    String[] parts = text.split(";", -1);
    String[] names = parts[0].trim().toLowerCase(Locale.ROOT).split("/", 2);
    Map<String, String> parameters = new TreeMap<>();
    for (int i = 1; i < parts.length; i++) {
      String[] parameter = parts[i].split("=", 2);
      if (parameter.length == 2) {
        parameters.put(parameter[0].trim().toLowerCase(Locale.ROOT), unquoted(parameter[1].trim()));
      }
    }
    return new MediaType(names[0], names.length == 2 ? names[1] : "", parameters);
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  /**
   * Returns how precisely this range names {@code offer}: 0 if it does not match, otherwise more
   * for a more precise range. A parameter that both have must be equal. A parameter that only the
   * range has must not be a version, because another version is another format.
   */
  int precision(MediaType offer) {
    if (type.equals(ANY)) {
      return subtype.equals(ANY) ? 1 : 0;
    }
    if (!type.equals(offer.type)) {
      return 0;
    }
    if (subtype.equals(ANY)) {
      return 2;
    }
    return subtype.equals(offer.subtype) ? parameterPrecision(offer) : 0;
  }

  private int parameterPrecision(MediaType offer) {
    int precision = 3;
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      String offered = offer.parameters.get(parameter.getKey());
      if (offered == null && parameter.getKey().equals("version")) {
        return 0;
      }
      if (offered != null && !offered.equalsIgnoreCase(parameter.getValue())) {
        return 0;
      }
      if (offered != null) {
        precision++;
      }
    }
    return precision;
  }
}
