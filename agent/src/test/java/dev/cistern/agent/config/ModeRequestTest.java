/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModeRequestTest {
  @Test
  void aModeAppliesToAllCopiesUnlessSomeAreNamed() throws Exception {
    assertThat(ModeRequest.read("mode=observe"))
        .isEqualTo(new ModeRequest(Mode.OBSERVE, CopyPattern.ALL));
    assertThat(ModeRequest.read("mode=swap, percent=7,copies=io.netty@app"))
        .isEqualTo(
            new ModeRequest(new Mode(Mode.Kind.SWAP, 7), new CopyPattern("io.netty", "app")));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "listen=none", "listen=none,percent=5"})
  void withoutAModeThereIsNoRequest(String arguments) throws Exception {
    assertThat(ModeRequest.read(arguments)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "mode=on,mode: 'on'",
    "'mode=swap,percent=101',percent: '101'",
    "'mode=swap,percent=x',percent: 'x'",
    "'mode=swap,percent=4294967346',percent: '4294967346'",
    "'mode=swap,mode=off',mode: given twice",
    "'mode=swap,listen=none',[listen]",
    "mood=swap,mood: unknown name",
    "swap,swap: no value",
    "'mode=off,copies=a b',copies: 'a b'",
  })
  void malformedArgumentsAreNamed(String arguments, String named) {
    assertThatThrownBy(() -> ModeRequest.read(arguments))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(named)
        .hasMessageContaining("(expected: ");
  }
}
