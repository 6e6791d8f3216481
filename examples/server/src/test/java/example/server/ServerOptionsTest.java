/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerOptionsTest {
  @Test
  void readsEveryOption() {
    assertThat(
            ServerOptions.parse(
                List.of(
                    "--host 127.0.0.2 --http-port none --echo-port 0 --threads 3 --end-with-input"
                        .split(" "))))
        .isEqualTo(new ServerOptions("127.0.0.2", -1, 0, 3, true, false));
    assertThat(ServerOptions.parse(List.of("--help")).help()).isTrue();
  }

  @Test
  void servesHttpOnTheLoopbackAddressByDefault() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(ServerOptions.parse(List.of()))
        .isEqualTo(new ServerOptions("127.0.0.1", 8080, -1, processors, false, false));
  }

  @ParameterizedTest
  @CsvSource({
    "--http-port 65536, '--http-port must be a number from 0 to 65535, not 65536'",
    "--echo-port -1, '--echo-port must be a number from 0 to 65535, not -1'",
    "--threads 0, '--threads must be a number from 1 to 1024, not 0'",
    "--threads x, '--threads must be a number from 1 to 1024, not x'",
    "--threads, --threads needs a value",
    "--port 1, unknown option --port",
    "--http-port none, '--http-port and --echo-port are both none: one of them must be a number'",
  })
  void namesOptionValueAndLimit(String line, String message) {
    assertThatThrownBy(() -> ServerOptions.parse(List.of(line.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
