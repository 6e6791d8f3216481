/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.internal.Settings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the regions and the limit of {@link DirectMemorySource}. */
class DirectMemorySourceTest {
  private static final int MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("A12")
  void theViewAndTheAddressAreTheSameMemory(boolean useCleaner) {
    DirectMemorySource source =
        new DirectMemorySource(new DirectMemoryLimit(8 * MIB), 0, useCleaner);
    Region region = source.allocate(MIB);
    ByteBuffer view = region.buffer();
    assertThat(view.isDirect()).isTrue();
    assertThat(view.capacity()).isEqualTo(MIB);
    assertThat(view.remaining()).isEqualTo(MIB);

    view.put(MIB - 1, (byte) 0x5A);
    assertThat(MemoryAccess.getByte(null, region.address() + MIB - 1)).isEqualTo((byte) 0x5A);
    MemoryAccess.putByte(null, region.address() + 17, (byte) 9);
    assertThat(view.slice(16, 4).get(1)).isEqualTo((byte) 9);

    source.free(region);
    assertThat(source.usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("A6")
  void regionsAreAligned(boolean useCleaner) {
    DirectMemorySource source =
        new DirectMemorySource(new DirectMemoryLimit(64 * MIB), 4096, useCleaner);
    for (int i = 0; i < 8; i++) {
      Region region = source.allocate(MIB + i);
      assertThat(region.address() % 4096).isZero();
      assertThat(region.buffer().capacity()).isEqualTo(MIB + i);
      region.buffer().put(MIB + i - 1, (byte) 1);
      assertThat(MemoryAccess.getByte(null, region.address() + MIB + i - 1)).isEqualTo((byte) 1);
      source.free(region);
    }
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  @Tag("A15")
  void aRequestAboveTheLimitNamesUsedLimitAndRequest() {
    DirectMemorySource source = new DirectMemorySource(new DirectMemoryLimit(3 * MIB), 0, false);
    Region first = source.allocate(2 * MIB);
    assertThatThrownBy(() -> source.allocate(2 * MIB))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("cannot reserve " + 2 * MIB)
        .hasMessageContaining("used: " + 2 * MIB)
        .hasMessageContaining("limit: " + 3 * MIB)
        .hasMessageContaining("cistern.maxDirectMemory");
    assertThat(source.usedBytes()).isEqualTo(2 * MIB);
    source.free(first);
    assertThat(source.usedBytes()).isZero();
    source.free(source.allocate(3 * MIB));
  }

  @Test
  void refusesAnAlignmentThatIsNoPowerOfTwo() {
    assertThatThrownBy(() -> new DirectMemorySource(new DirectMemoryLimit(1), 48, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("48");
  }

  @Test
  @Tag("A15")
  void readsTheJvmOptionAsHotSpotWritesIt() {
    assertThat(DirectMemoryLimit.parse("64m")).isEqualTo(64L * MIB);
    assertThat(DirectMemoryLimit.parse("2G")).isEqualTo(2048L * MIB);
    assertThat(DirectMemoryLimit.parse("4096")).isEqualTo(4096L);
    assertThat(DirectMemoryLimit.parse("1t")).isEqualTo(1L << 40);
    assertThat(DirectMemoryLimit.parse("")).isNull();
    assertThat(DirectMemoryLimit.parse("many")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cistern.maxDirectMemory", "dev.cistern.maxDirectMemory"})
  @Tag("A15")
  void theLimitIsReadAsEachSettingIs(String property) {
    List<String> warnings = new ArrayList<>();
    assertThat(limitWith(property, "12345678", warnings)).isEqualTo(12345678);
    assertThat(limitWith(property, "0", warnings)).isZero();
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"512m", "-1", "many"})
  @Tag("A15")
  void aLimitThatIsNoNumberOfBytesIsWarnedOfAndNotUsed(String text) {
    List<String> warnings = new ArrayList<>();
    long limit = limitWith("cistern.maxDirectMemory", text, warnings);
    assertThat(limit).isEqualTo(DirectMemoryLimit.ofProcess()).isPositive();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("cistern.maxDirectMemory=" + text, "using " + limit);
  }

  private static long limitWith(String property, String text, List<String> warnings) {
    Logger logger = Logger.getLogger(Settings.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            warnings.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    String before = System.getProperty(property);
    System.setProperty(property, text);
    try {
      return DirectMemoryLimit.ofProcess();
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
      logger.removeHandler(handler);
    }
  }
}
