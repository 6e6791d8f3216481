/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopyPatternTest {
  private static final List<String> LOADER = List.of("org.web.Loader@1f", "org.web.Loader", "shop");

  @ParameterizedTest
  @CsvSource({
    "*,io.netty,true",
    "io.netty,io.netty,true",
    "io.netty,io.netty.shaded,false",
    "io.netty,org.io.netty,false",
    "io.*,io.netty,true",
    "io.*,org.io.netty,false",
    "*netty,io.grpc.netty.shaded.io.netty,true",
    "*shaded*,io.grpc.netty.shaded.io.netty,true",
    "*shaded*,io.netty,false",
    "io.*.netty,io.netty,false",
    "io.*netty,io.netty,true",
    "a*a,a,false",
    "ab*ba,aba,false",
    "a*b*a,aba,true",
    "a*b*b*a,aba,false",
    "**,io.netty,true",
    "*@shop,io.netty,true",
    "@shop,io.netty,true",
    "io.netty@shop,io.netty,true",
    "io.grpc.*@shop,io.netty,false",
    "*@org.web.Loader,io.netty,true",
    "*@org.web.Loader@1f,io.netty,",
    "*@org.web.*1f,io.netty,true",
    "*@other,io.netty,false",
  })
  void aStarMatchesAnyCharacters(String pattern, String prefix, Boolean matches) throws Exception {
    if (matches == null) {
      assertThatThrownBy(() -> CopyPattern.of(pattern)).isInstanceOf(BadSettingException.class);
    } else {
      assertThat(CopyPattern.of(pattern).matches(prefix, LOADER)).isEqualTo(matches);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a,b", "a:b", "io.netty@", "a@b@c"})
  void anInvalidPatternIsNamed(String text) {
    assertThatThrownBy(() -> CopyPattern.of(text))
        .isInstanceOf(BadSettingException.class)
        .hasMessageStartingWith("copies: '" + text + "' (expected: a package prefix");
  }

  @Test
  void aListHasColonsBetween() {
    assertThat(CopyPattern.list("io.netty:*@app:io.grpc.*")).hasSize(3);
    assertThat(CopyPattern.list("io.netty:")).isNull();
    assertThat(CopyPattern.list("io.netty:*@app"))
        .containsExactly(new CopyPattern("io.netty", "*"), new CopyPattern("*", "app"));
    assertThat(CopyPattern.list("none")).isEmpty();
    assertThat(CopyPattern.list("io.netty:*@app"))
        .map(CopyPattern::toString)
        .containsExactly("io.netty", "*@app");
  }
}
