/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Removes from a text what could identify its machine or hold a secret: addresses of memory and of
 * the network, paths, names of threads, and given words such as the names of user and host.
 */
final class Redaction {
  private static final Pattern THREAD = Pattern.compile("by thread \".*\"");
  private static final Pattern HEX_ADDRESS = Pattern.compile("\\b0[xX][0-9a-fA-F]+");

  /**
   * Numbers as long as native addresses in decimal digits. Times in milliseconds have 13 digits.
   */
  private static final Pattern DECIMAL_ADDRESS = Pattern.compile("(?<![\\d.])\\d{14,20}(?![\\d.])");

  private static final Pattern IP_4 =
      Pattern.compile("(?<![\\d.])\\d{1,3}(\\.\\d{1,3}){3}(?![\\d.])");
  private static final Pattern IP_6 =
      Pattern.compile(
          "(?<![\\w:])(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{0,4}(?![\\w:])"
              + "|(?<![\\w:])[0-9a-fA-F]{0,4}::[0-9a-fA-F:]+(?![\\w:])");
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w.<])/[^\\s\"'\\\\(),;]*[^\\s\"'\\\\(),;:.]");
  private static final Pattern JSON_STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"");

  /**
   * Smallest length of a redacted word. Shorter words occur in other words of a report, and
   * identify nothing.
   */
  private static final int MIN_WORD = 3;

  private final List<Pattern> words = new ArrayList<>();

  /** Creates a redaction that also removes these words if they are not part of another name. */
  Redaction(Collection<String> secrets) {
    secrets.stream()
        .flatMap(word -> Stream.of(word, TextFormat.plain(word), escaped(word)))
        .distinct()
        .filter(word -> word.length() >= MIN_WORD)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .forEach(
            word -> words.add(Pattern.compile("(?<![\\w.])" + Pattern.quote(word) + "(?!\\w)")));
  }

  /** Returns a word as it is in a string of JSON. */
  private static String escaped(String word) {
    String quoted = JsonWriter.string(word);
    return quoted.substring(1, quoted.length() - 1);
  }

  /** Returns the redacted text. */
  String text(String text) {
    String left = text;
    for (Pattern word : words) {
      left = word.matcher(left).replaceAll("[name]");
    }
    left = THREAD.matcher(left).replaceAll("by thread [name]");
    left = HEX_ADDRESS.matcher(left).replaceAll("[address]");
    left = DECIMAL_ADDRESS.matcher(left).replaceAll("[address]");
    left = IP_4.matcher(left).replaceAll("[ip]");
    left = IP_6.matcher(left).replaceAll("[ip]");
    return PATH.matcher(left).replaceAll("[path]");
  }

  /** Returns JSON whose strings are redacted, and whose numbers are not. */
  String json(String json) {
    return JSON_STRING
        .matcher(json)
        .replaceAll(
            (MatchResult string) ->
                Matcher.quoteReplacement(
                    '"' + text(string.group().substring(1, string.group().length() - 1)) + '"'));
  }
}
