/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of settings by system property; an invalid value leaves the default. */
@Tag("A16")
class SettingsTest {
  private static final String KEY = "test.settings.key";

  @AfterEach
  void forget() {
    System.clearProperty("cistern." + KEY);
    System.clearProperty("dev.cistern." + KEY);
  }

  @Test
  void readsNumbersWithinTheirRange() {
    assertThat(Settings.number(KEY, 7, 0, 10)).isEqualTo(7);
    System.setProperty("cistern." + KEY, " 9 ");
    assertThat(Settings.number(KEY, 7, 0, 10)).isEqualTo(9);
    System.setProperty("cistern." + KEY, "11");
    assertThat(Settings.number(KEY, 7, 0, 10)).isEqualTo(7);
    System.setProperty("cistern." + KEY, "many");
    assertThat(Settings.number(KEY, 7, 0, 10)).isEqualTo(7);
  }

  @Test
  void aNumberThatIsNoPowerOfTwoIsNotRounded() {
    assertThat(Settings.powerOfTwo(KEY, 8, 0, 1024)).isEqualTo(8);
    System.setProperty("cistern." + KEY, "64");
    assertThat(Settings.powerOfTwo(KEY, 8, 0, 1024)).isEqualTo(64);
    System.setProperty("cistern." + KEY, "1000");
    assertThat(Settings.powerOfTwo(KEY, 8, 0, 1024)).isEqualTo(8);
    System.setProperty("cistern." + KEY, "2048");
    assertThat(Settings.powerOfTwo(KEY, 8, 0, 1024)).isEqualTo(8);
  }

  @Test
  void readsFlags() {
    assertThat(Settings.flag(KEY, true)).isTrue();
    System.setProperty("cistern." + KEY, "false");
    assertThat(Settings.flag(KEY, true)).isFalse();
    System.setProperty("cistern." + KEY, "perhaps");
    assertThat(Settings.flag(KEY, true)).isTrue();
  }

  @Test
  void readsChoices() {
    assertThat(Settings.choice(KEY, TimeUnit.DAYS)).isEqualTo(TimeUnit.DAYS);
    System.setProperty("cistern." + KEY, "hours");
    assertThat(Settings.choice(KEY, TimeUnit.DAYS)).isEqualTo(TimeUnit.HOURS);
    System.setProperty("cistern." + KEY, "0");
    assertThat(Settings.choice(KEY, TimeUnit.DAYS)).isEqualTo(TimeUnit.NANOSECONDS);
    System.setProperty("cistern." + KEY, "weeks");
    assertThat(Settings.choice(KEY, TimeUnit.DAYS)).isEqualTo(TimeUnit.DAYS);
  }

  @Test
  void theShortNameWinsOverTheLongOne() {
    System.setProperty("dev.cistern." + KEY, "long");
    assertThat(Settings.text(KEY)).isEqualTo("long");
    System.setProperty("cistern." + KEY, "short");
    assertThat(Settings.text(KEY)).isEqualTo("short");
    System.setProperty("cistern." + KEY, "  ");
    assertThat(Settings.text(KEY)).isEqualTo("long");
  }
}
