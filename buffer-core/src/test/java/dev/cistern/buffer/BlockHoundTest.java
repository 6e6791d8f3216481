/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.TestLength;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.blockhound.BlockHound;

/**
 * Tests that BlockHound finds no blocking call in threads that use a pool; runs {@link
 * UnderBlockHound} in a separate JVM.
 */
@Tag("full")
class BlockHoundTest {
  private static final int ROUNDS = TestLength.choose(1_000, 2_000, 50_000);

  @ParameterizedTest
  @ValueSource(strings = {"early", "late"})
  void noThreadHangsAndNothingIsRefused(String installed) throws Exception {
    String output =
        OwnJvm.of(UnderBlockHound.class)
            .with(BlockHound.class)
            .with(
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+AllowRedefinitionToAddDeleteMethods",
                "-XX:MaxDirectMemorySize=1g")
            .run(Integer.toString(ROUNDS), installed);
    assertThat(output).endsWith("as expected\n");
  }
}
