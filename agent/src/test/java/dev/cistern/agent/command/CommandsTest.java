/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandsTest {
  @Test
  void linesOfAnotherProcessDoNotControlTheTerminal() {
    assertThat(Commands.plain("pool \u001b[2J\u202ex: swap\nnot changed: y\n"))
        .isEqualTo("pool ?[2J?x: swap\nnot changed: y");
  }
}
