/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Tests that a bin loads and links the code of notices when it is made. The release that sends the
 * first notice can find the Java heap full. See {@link FirstNotice}.
 */
class FirstNoticeTest {
  @Test
  void theFirstNoticeOfAClassLoaderAllocatesNothing() throws Exception {
    URL[] places = {place(BufferPool.class), place(FirstNotice.class)};
    try (URLClassLoader again = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
      Object program = again.loadClass(FirstNotice.class.getName()).getConstructor().newInstance();
      assertThat(program).isNotInstanceOf(FirstNotice.class);
      assertThat(((LongSupplier) program).getAsLong()).as("bytes allocated").isZero();
    }
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
