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
                "--label",
                "x-1",
                "--every-peer",
                "--list",
                "pair/.*KiB"));
    assertThat(options.pattern()).isEqualTo("pair/.*KiB");
    assertThat(options.jdk()).isEqualTo("/jdk");
    assertThat(options.collector()).isEqualTo("Parallel");
    assertThat(options.rounds()).isEqualTo(7);
    assertThat(options.label()).isEqualTo("x-1");
    assertThat(options.quick() && options.everyPeer() && options.list()).isTrue();
  }

  @Test
  void namesWhatItDoesNotKnowAndWhatIsAllowed() {
    refused("unknown option --fast", "--fast");
    refused("--gc Z: allowed are G1 and Parallel", "--gc", "Z");
    refused("--gc needs a value: G1 or Parallel", "--gc");
    refused("--rounds 0: allowed is 1 to 100", "--rounds", "0");
    refused("--label a/b: allowed are letters", "--label", "a/b");
    refused("one pattern at most: a, b", "a", "b");
    refused("pattern [: Unclosed character class", "[");
  }

  private static void refused(String message, String... arguments) {
    assertThatThrownBy(() -> BenchOptions.parse(List.of(arguments)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
