/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.lang.reflect.Field;

/**
 * The state of the agent's classes in Netty's packages: whether they watch channels and buffers.
 */
final class Watching {
  private Watching() {}

  /**
   * Returns two booleans as text: whether channels are watched, and whether holders of buffers are.
   */
  static String state() throws ReflectiveOperationException {
    return isSet("io.netty.channel.CisternChannels")
        + " "
        + isSet("io.netty.buffer.CisternHolders");
  }

  private static boolean isSet(String className) throws ReflectiveOperationException {
    Field watching = Class.forName(className).getDeclaredField("watching");
    watching.setAccessible(true);
    return watching.get(null) != null;
  }
}
