/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The stack ends at every depth of an allocation, a release or a move: {@link StackEndOfBridge}.
 */
class StackEndOfBridgeTest {
  @Test
  void aStackThatEndsInABufferOfTheBridgeLosesNothing() throws Exception {
    List<String> options = List.of("-Xmx256m", "-Xint", "-XX:+UseSerialGC");
    Tool.Outcome outcome = Tool.run(Tool.java(options, StackEndOfBridge.class), 60);
    System.out.println(outcome.printed());
    assertThat(outcome.status()).as("output: %s", outcome.printed()).isZero();
  }
}
