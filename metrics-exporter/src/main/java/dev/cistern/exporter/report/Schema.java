/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import java.util.ArrayList;
import java.util.List;

/** All figures. Code that walks the tree starts here, so that all scopes below are declared. */
public final class Schema {
  /**
   * Scopes in the order of declaration. Each class declares its scopes when it is initialized,
   * below those of the classes before it.
   */
  private static final List<Scope<?>> DECLARED =
      List.of(
          HostFigures.HOST,
          CopyFigures.COPY,
          PoolFigures.POOL,
          SiteFigures.LEAK_SITE,
          MemoryFigures.PART,
          HolderFigures.HELD,
          ChannelFigures.CHANNEL);

  private Schema() {}

  /** Returns the scope of a process. */
  @SuppressWarnings("unchecked") // the first of the list
  public static Scope<HostReport> host() {
    return (Scope<HostReport>) DECLARED.get(0);
  }

  /** Returns all scopes whose figures are metrics; a scope precedes those below it. */
  public static List<Scope<?>> scopes() {
    List<Scope<?>> all = new ArrayList<>(List.of(ExporterFigures.EXPORTER, host()));
    for (int i = 0; i < all.size(); i++) {
      all.get(i).children().stream().filter(child -> !child.isRowsOnly()).forEach(all::add);
    }
    return all;
  }

  /** Returns the names of the labels of a figure, in the order of their declaration. */
  public static List<String> labels(Figure<?> figure, boolean withHostId) {
    List<String> labels = new ArrayList<>(labels(figure.scope(), withHostId));
    figure.texts().stream().map(Text::key).forEach(labels::add);
    return labels;
  }

  /** Returns the names of the labels that all figures of a scope have. */
  public static List<String> labels(Scope<?> scope, boolean withHostId) {
    List<String> all = scope.allLabels();
    boolean isOfHost = all.contains(HostFigures.HOST.labels().get(0));
    return isOfHost && !withHostId ? all.subList(1, all.size()) : all;
  }
}
