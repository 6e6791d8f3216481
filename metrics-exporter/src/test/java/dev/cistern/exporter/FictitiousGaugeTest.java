/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All outputs show a metric that is declared in one place. */
class FictitiousGaugeTest {
  @Test
  void oneDeclarationIsEnough(@TempDir Path directory) throws Exception {
    Process process =
        Tool.java(List.of(), FictitiousGauge.class, directory.toString())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed.lines())
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
