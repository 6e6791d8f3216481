/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchOptionsTest {
  @Test
  void readsAllOptions() {
    BenchOptions options =
        BenchOptions.parse(
            List.of(
                "--quick",
                "--jdk",
                "/jdk",
                "--gc",
                "Parallel",
                "--rounds",
                "7",
                "--every-peer",
                "--list",
                "pair/.*KiB"));
    assertThat(options.pattern()).isEqualTo("pair/.*KiB");
    assertThat(options.jdk()).isEqualTo("/jdk");
    assertThat(options.collector()).isEqualTo("Parallel");
    assertThat(options.rounds()).isEqualTo(7);
    assertThat(options.topic()).isNull();
    assertThat(options.quick() && options.everyPeer() && options.list()).isTrue();
  }

  @Test
  void takesTenRoundsOfTheTopicsCasesForPublication() {
    BenchOptions options = BenchOptions.parse(List.of("--publish", "leaks"));
    assertThat(options.topic()).isEqualTo(Topic.LEAKS);
    assertThat(options.pattern()).isEqualTo(Topic.LEAKS.pattern());
    assertThat(options.rounds()).isEqualTo(10);
    assertThat(BenchOptions.parse(List.of("--publish", "leaks", "--rounds", "12")).rounds())
        .isEqualTo(12);
  }

  @Test
  void namesInvalidValuesAndTheValidOnes() {
    refused("unknown option --fast", "--fast");
    refused("--gc: Z (expected: G1 or Parallel)", "--gc", "Z");
    refused("--gc needs a value: G1 or Parallel", "--gc");
    refused("--rounds: 0 (expected: 1 to 100)", "--rounds", "0");
    refused(
        "--publish x (expected: allocator, engine, library, hosts, leaks, netty-allocator)",
        "--publish",
        "x");
    refused("--publish hosts has its own cases", "--publish", "hosts", "J1");
    refused("--publish hosts has its own cases", "--publish", "hosts", "--quick");
    refused("--publish hosts has its own cases", "--publish", "hosts", "--every-peer");
    refused("too many patterns: a, b (expected: one)", "a", "b");
    refused("pattern [: Unclosed character class", "[");
  }

  private static void refused(String message, String... arguments) {
    assertThatThrownBy(() -> BenchOptions.parse(List.of(arguments)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
