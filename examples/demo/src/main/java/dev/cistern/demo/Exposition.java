/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The counters and gauges of a scrape in the text format 0.0.4. */
public final class Exposition {
  /** One line of a scrape: a name, its labels, a value. */
  public record Sample(String name, Map<String, String> labels, double value) {
    /** Returns the value of a label, or an empty text if there is no such label. */
    public String label(String label) {
      return labels.getOrDefault(label, "");
    }
  }

  private final List<Sample> samples;

  private Exposition(List<Sample> samples) {
    this.samples = samples;
  }

  /**
   * Parses a scrape.
   *
   * @throws IllegalArgumentException at the first malformed line, which the message names
   */
  public static Exposition parse(String text) {
    List<Sample> samples = new ArrayList<>();
    text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(line -> samples.add(sample(line)));
    return new Exposition(samples);
  }

  /** Returns all samples of a metric whose labels have these values; labels are given in pairs. */
  public Stream<Sample> samples(String name, String... labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .filter(sample -> matches(sample, labels));
  }

  /** Returns the sum over {@link #samples}, or empty if there is none. */
  public OptionalDouble sumIfThere(String name, String... labels) {
    return samples(name, labels).mapToDouble(Sample::value).reduce(Double::sum);
  }

  /** Returns the sum over {@link #samples}; 0 if there is none. */
  public double sum(String name, String... labels) {
    return sumIfThere(name, labels).orElse(0);
  }

  /** Returns the sums of a metric by the values of one label, in the order of the scrape. */
  public Map<String, Double> sumBy(String name, String label) {
    return samples(name)
        .collect(
            Collectors.groupingBy(
                sample -> sample.label(label),
                LinkedHashMap::new,
                Collectors.summingDouble(Sample::value)));
  }

  private static boolean matches(Sample sample, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      if (!sample.label(labels[i]).equals(labels[i + 1])) {
        return false;
      }
    }
    return true;
  }

  private static Sample sample(String line) {
    int open = line.indexOf('{');
    int nameEnd = open < 0 ? line.indexOf(' ') : open;
    if (nameEnd <= 0) {
      throw new IllegalArgumentException("no metric line: " + line);
    }
    Map<String, String> labels = new LinkedHashMap<>();
    int end = open < 0 ? nameEnd : labels(line, open + 1, labels);
    // A timestamp may follow the value.
    String value = line.substring(end).trim().split(" ", 2)[0];
    return new Sample(line.substring(0, nameEnd), Map.copyOf(labels), number(value));
  }

  /** Reads labels from {@code from} and returns the index after the closing brace. */
  private static int labels(String line, int from, Map<String, String> labels) {
    int at = from;
    while (line.charAt(at) != '}') {
      int equals = line.indexOf("=\"", at);
      if (equals < 0) {
        throw new IllegalArgumentException("malformed labels: " + line);
      }
      StringBuilder value = new StringBuilder();
      int end = labelValue(line, equals + 2, value);
      labels.put(line.substring(at, equals), value.toString());
      at = line.charAt(end) == ',' ? end + 1 : end;
    }
    return at + 1;
  }

  private static int labelValue(String line, int from, StringBuilder value) {
    int at = from;
    for (char c = line.charAt(at); c != '"'; c = line.charAt(++at)) {
      if (c == '\\') {
        c = line.charAt(++at);
        c = c == 'n' ? '\n' : c;
      }
      value.append(c);
    }
    return at + 1;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
