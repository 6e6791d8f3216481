/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.http.Peer;
import dev.cistern.exporter.http.Request;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlCommandTest {
  private static ControlCommand read(String query) throws Exception {
    Request request =
        new Request(
            "POST", new URI("/control?" + query), Map.of(), new Peer(new Socket()), null, false);
    return ControlCommand.read(request.parameters());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "host=a&mode=off a mode=off",
        "mode=observe&host=* * mode=observe",
        "host=a+b&mode=swap&percent=010 'a b' mode=swap,percent=10",
        "host=a&mode=swap&percent=100&copies=io.netty%40app a mode=swap,percent=100,copies=io.netty@app",
        "host=%2A&mode=off&&copies=*@* * mode=off,copies=*@*",
      })
  void aCommandBecomesALineOfTheControlFile(String query, String host, String line)
      throws Exception {
    assertThat(read(query)).isEqualTo(new ControlCommand(host, line));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode=off|host: missing",
        "host=&mode=off|host: missing",
        "host=a|mode: '' (expected: off, observe or swap)",
        "host=a&mode=Off|mode: 'Off' (expected: off, observe or swap)",
        "host=a&mode=off%0Amode=swap|mode: 'off",
        "host=a&mode=off&percent=10|percent: '10' (expected: only with mode=swap)",
        "host=a&mode=swap&percent=0|percent: '0' (expected: 1 to 100)",
        "host=a&mode=swap&percent=101|percent: '101' (expected: 1 to 100)",
        "host=a&mode=swap&percent=|percent: '' (expected: 1 to 100)",
        "host=a&mode=swap&percent=-1|percent: '-1' (expected: 1 to 100)",
        "host=a&mode=swap&percent=9999999999|percent: '9999999999' (expected: 1 to 100)",
        "host=a&mode=off&copies=|copies: '' (expected: a package prefix",
        "host=a&mode=off&copies=a%0Amode=swap|copies: 'a",
        "host=a&mode=off&copies=a%C2%85mode=swap|copies: 'a",
        "host=a&mode=off&copies=a,mode=swap|copies: 'a,mode=swap'",
        "host=a&mode=off&copies=a:b|copies: 'a:b'",
        "host=a&mode=off&copies=a@|copies: 'a@'",
        "host=a&mode=off&copies=a@b@c|copies: 'a@b@c'",
        "host=a&mode=off&percnt=5|parameter percnt: unknown (expected: host, mode, percent, copies)",
        "host=a&mode=off&mode=swap|parameter mode: repeated (expected: once)",
      })
  void aMalformedCommandIsRefusedWithTheParameter(String query, String message) {
    assertThatThrownBy(() -> read(query))
        .isInstanceOf(ControlCommand.MalformedException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aPatternOfCopiesHasALimit() throws Exception {
    assertThat(read("host=a&mode=off&copies=" + "a".repeat(500)).line()).hasSize(516);
    assertThatThrownBy(() -> read("host=a&mode=off&copies=" + "a".repeat(501)))
        .hasMessageStartingWith("copies: ");
  }
}
