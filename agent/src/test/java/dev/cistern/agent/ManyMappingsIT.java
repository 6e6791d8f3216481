/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pool leaves most of the mappings that the system permits to the application. */
class ManyMappingsIT {
  /** The smallest chunks that the agent permits. */
  private static final int CHUNK_BYTES = 128 << 10;

  private static final int BUFFERS = 24_576;

  @ParameterizedTest
  @CsvSource({"4.1", "4.2"})
  void beyondAQuarterOfTheMappingsChunksComeFromMalloc(String line) throws Exception {
    long quarter = maxMapCount() / 4;
    Result result =
        HostJvm.netty(line)
            .main("example.host.ManyMappings")
            .option("-XX:MaxDirectMemorySize=4g")
            .agent("listen=none,decayMillis=500,chunkBytes=" + CHUNK_BYTES)
            .argument(String.valueOf(BUFFERS), String.valueOf(CHUNK_BYTES))
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out())
        .as("%s", result)
        .contains(
            "buffers " + BUFFERS,
            "class dev.cistern.netty.pool.CisternByteBuf",
            "foreign 0",
            "done");
    long mappings = number(result, "mappings ");
    System.out.println(
        "Netty "
            + line
            + ": "
            + mappings
            + " mappings of up to "
            + quarter
            + ", "
            + BUFFERS
            + " chunks; "
            + number(result, "mappings left ")
            + " mappings after release");
    assertThat(mappings).isBetween(Math.min(quarter, BUFFERS) * 9 / 10, quarter);
    assertThat(number(result, "mappings left ")).isLessThan(BUFFERS / 50);
    if (quarter < BUFFERS) {
      assertThat(result.err().toString()).contains("a quarter of vm.max_map_count");
    }
  }

  /** Reads the limit in one call, because the kernel returns nothing to a second call. */
  private static long maxMapCount() throws IOException {
    byte[] text = new byte[32];
    try (InputStream in = new FileInputStream("/proc/sys/vm/max_map_count")) {
      return Long.parseLong(new String(text, 0, in.read(text), StandardCharsets.US_ASCII).trim());
    }
  }

  private static long number(Result result, String start) {
    return result.out().stream()
        .filter(line -> line.matches(start + "\\d+"))
        .mapToLong(line -> Long.parseLong(line.substring(start.length())))
        .findFirst()
        .orElseThrow();
  }
}
