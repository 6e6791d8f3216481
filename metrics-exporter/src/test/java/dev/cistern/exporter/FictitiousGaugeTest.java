/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All outputs show a metric that is declared in one place. */
class FictitiousGaugeTest {
  private static final long LIMIT_SECONDS = 60;

  @Test
  void oneDeclarationIsEnough(@TempDir Path directory) throws Exception {
    Tool.Outcome outcome =
        Tool.run(Tool.java(List.of(), FictitiousGauge.class, directory.toString()), LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed().lines())
        .containsExactly(
            "text [true]",
            "openmetrics [true]",
            "description [true]",
            "otlp [true]",
            "state [true]",
            "file [true]",
            "catalogue [true]",
            "docs [true]",
            "meter [true]");
  }
}
