/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModePolicyTest {
  private final ClassLoader loader = ModePolicyTest.class.getClassLoader();
  private final NettyCopy plain = new NettyCopy("io/netty", "io.netty", loader);
  private final NettyCopy shaded = new NettyCopy("a/io/netty", "a.io.netty", loader);
  private ModePolicy policy;

  @BeforeEach
  void observeAllButShaded() throws Exception {
    policy = new ModePolicy(new ConfigReader().read("mode=observe,exclude=a.*"));
  }

  private void command(Mode mode, String pattern) throws BadSettingException {
    policy.add(new ModeCommand(mode, CopyPattern.of(pattern), ModeSource.JMX, true));
  }

  private void ofFile(Mode mode, String pattern) throws BadSettingException {
    policy.add(new ModeCommand(mode, CopyPattern.of(pattern), ModeSource.FILE, false));
  }

  @Test
  void theSettingsHoldUntilACommand() {
    assertThat(policy.of(plain))
        .isEqualTo(new ModePolicy.Decision(Mode.OBSERVE, "", ModeSource.SETTINGS, false));
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.OFF);
    assertThat(policy.of(shaded).reason()).contains("exclude");
  }

  @Test
  void aModeForAllLeavesTheExcludedAlone() throws Exception {
    command(Mode.SWAP, "*");
    assertThat(policy.of(plain).mode()).isEqualTo(Mode.SWAP);
    assertThat(policy.of(plain).source()).isEqualTo(ModeSource.JMX);
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void theLatestPatternThatMatchesHoldsAndAllForgetsThem() throws Exception {
    command(Mode.SWAP, "a.*");
    command(Mode.OBSERVE, "*io*");
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.OBSERVE);
    command(Mode.SWAP, "a.*");
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.SWAP);
    assertThat(policy.of(shaded).reason()).isEmpty();
    command(Mode.SWAP, "*");
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void aCopyThatIsNotIncludedIsOff() throws Exception {
    policy = new ModePolicy(new ConfigReader().read("include=a.*"));
    assertThat(policy.of(plain).mode()).isEqualTo(Mode.OFF);
    assertThat(policy.of(plain).reason()).contains("include");
    assertThat(policy.of(shaded).mode()).isEqualTo(Mode.SWAP);
  }

  @Test
  void aFileMayLowerAModeAndBringItBackButNotRaiseIt() throws Exception {
    ofFile(Mode.OFF, "*");
    assertThat(policy.of(plain))
        .isEqualTo(new ModePolicy.Decision(Mode.OFF, "", ModeSource.FILE, false));
    ofFile(Mode.OBSERVE, "*");
    assertThat(policy.of(plain).mode()).isEqualTo(Mode.OBSERVE);
    ofFile(new Mode(Mode.Kind.SWAP, 1), "*");
    assertThat(policy.of(plain).mode()).isEqualTo(Mode.OBSERVE);
    assertThat(policy.of(plain).isLimited()).isTrue();
    assertThat(policy.general()).isEqualTo(Mode.OBSERVE);
    ofFile(Mode.OBSERVE, "a.*");
    assertThat(policy.of(shaded).mode()).as("excluded").isEqualTo(Mode.OFF);
    assertThat(policy.of(shaded).isLimited()).isTrue();
  }

  @Test
  void aShareOfTheSettingsIsALimitForAFile() throws Exception {
    policy = new ModePolicy(new ConfigReader().read("percent=10"));
    ofFile(new Mode(Mode.Kind.SWAP, 5), "*");
    assertThat(policy.of(plain).mode().percent()).isEqualTo(5);
    ofFile(Mode.SWAP, "*");
    assertThat(policy.of(plain).mode().percent()).isEqualTo(10);
    assertThat(policy.of(plain).isLimited()).isTrue();
    command(Mode.SWAP, "*");
    assertThat(policy.of(plain).mode()).as("the latest command, which may").isEqualTo(Mode.SWAP);
    ofFile(Mode.OFF, "*");
    assertThat(policy.of(plain).mode()).as("the latest command").isEqualTo(Mode.OFF);
  }

  @Test
  void patternsAreBounded() throws Exception {
    for (int i = 0; i < ModePolicy.MAX_NAMED; i++) {
      command(Mode.SWAP, "p" + i);
    }
    command(Mode.OFF, "p7");
    assertThatThrownBy(() -> command(Mode.OFF, "q"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("copies: q")
        .hasMessageContaining(String.valueOf(ModePolicy.MAX_NAMED));
  }
}
