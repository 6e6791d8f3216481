/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WishesTest {
  private final ClassLoader loader = WishesTest.class.getClassLoader();
  private final NettyCopy plain = new NettyCopy("io/netty", "io.netty", loader);
  private final NettyCopy shaded = new NettyCopy("a/io/netty", "a.io.netty", loader);
  private Wishes wishes;

  @BeforeEach
  void observeAllButShaded() throws Exception {
    wishes = new Wishes(new ConfigReader().read("mode=observe,exclude=a.*"));
  }

  @Test
  void theSettingsHoldUntilSomebodySaysOtherwise() {
    assertThat(wishes.of(plain)).isEqualTo(Mode.OBSERVE);
    assertThat(wishes.of(shaded)).isEqualTo(Mode.OFF);
    assertThat(wishes.reason(plain)).isEmpty();
    assertThat(wishes.reason(shaded)).contains("exclude");
  }

  @Test
  void aModeForAllLeavesTheExcludedAlone() {
    wishes.want(Mode.SWAP, CopyPattern.ALL);
    assertThat(wishes.of(plain)).isEqualTo(Mode.SWAP);
    assertThat(wishes.of(shaded)).isEqualTo(Mode.OFF);
  }

  @Test
  void theLatestPatternThatFitsHoldsAndAllTakesThemBack() throws Exception {
    wishes.want(Mode.SWAP, CopyPattern.of("a.*"));
    wishes.want(Mode.OBSERVE, CopyPattern.of("*io*"));
    assertThat(wishes.of(shaded)).isEqualTo(Mode.OBSERVE);
    wishes.want(Mode.SWAP, CopyPattern.of("a.*"));
    assertThat(wishes.of(shaded)).isEqualTo(Mode.SWAP);
    assertThat(wishes.reason(shaded)).isEmpty();
    wishes.want(Mode.SWAP, CopyPattern.ALL);
    assertThat(wishes.of(shaded)).isEqualTo(Mode.OFF);
  }

  @Test
  void whatIsNotIncludedIsOff() throws Exception {
    wishes = new Wishes(new ConfigReader().read("include=a.*"));
    assertThat(wishes.of(plain)).isEqualTo(Mode.OFF);
    assertThat(wishes.reason(plain)).contains("include");
    assertThat(wishes.of(shaded)).isEqualTo(Mode.SWAP);
  }

  @Test
  void patternsAreBounded() throws Exception {
    for (int i = 0; i < Wishes.MAX_NAMED; i++) {
      wishes.want(Mode.SWAP, CopyPattern.of("p" + i));
    }
    wishes.want(Mode.OFF, CopyPattern.of("p7"));
    CopyPattern oneMore = CopyPattern.of("q");
    assertThatThrownBy(() -> wishes.want(Mode.OFF, oneMore))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'q'")
        .hasMessageContaining(String.valueOf(Wishes.MAX_NAMED));
  }
}
