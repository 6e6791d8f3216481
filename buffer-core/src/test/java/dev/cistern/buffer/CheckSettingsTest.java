/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests that the checks are on or off as the properties say; the tests run with both settings. */
class CheckSettingsTest {
  private static boolean isOn(String check) {
    return Boolean.parseBoolean(System.getProperty("cistern.buffer." + check, "true"));
  }

  @Test
  void anIndexOutsideOfASliceIsLookedAtOnlyIfBoundsAreChecked() {
    ByteBuf root = Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4});
    ByteBuf slice = root.slice(0, 2);
    if (isOn("checkBounds")) {
      assertThatThrownBy(() -> slice.getByte(3)).isInstanceOf(IndexOutOfBoundsException.class);
    } else {
      assertThat(slice.getByte(3)).isEqualTo((byte) 4);
    }
    root.release();
  }

  @Test
  void theFieldsMatchTheProperties() {
    assertThat(Checks.CHECK_BOUNDS).isEqualTo(isOn("checkBounds"));
    assertThat(Checks.CHECK_ACCESSIBLE).isEqualTo(isOn("checkAccessible"));
  }
}
