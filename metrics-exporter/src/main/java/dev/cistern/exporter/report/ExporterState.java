/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures of the exporter itself at one moment. Used by one thread. */
public final class ExporterState {
  private final Map<String, Long> values = new HashMap<>();
  private final Map<String, List<Part>> parts = new HashMap<>();
  private final List<Pushes> pushes = new ArrayList<>();

  /**
   * A value with a label.
   *
   * @param name value of the label
   * @param value value of the figure
   */
  public record Part(String name, long value) {}

  /** Pushes to one kind of receiver. */
  record Pushes(String receiver, PushFigures figures) {}

  /** Sets the stored value of a figure. */
  public void set(Figure<ExporterState> figure, long value) {
    values.put(figure.name(), value);
  }

  /** Adds a value with a label. */
  public void add(String label, String name, long value) {
    parts.computeIfAbsent(label, unused -> new ArrayList<>()).add(new Part(name, value));
  }

  /**
   * Adds the figures of the pushes to a receiver.
   *
   * @param receiver kind of the receiver
   */
  public void add(String receiver, PushFigures figures) {
    pushes.add(new Pushes(receiver, figures));
  }

  List<Pushes> pushes() {
    return pushes;
  }

  long get(String name) {
    return values.getOrDefault(name, Figure.ABSENT);
  }

  List<Part> parts(String label) {
    return parts.getOrDefault(label, List.of());
  }

  /** Source of figures of one part of an exporter. */
  @FunctionalInterface
  public interface Source {
    /** Adds the figures. Called by any scraping thread. */
    void addTo(ExporterState state);
  }
}
