/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;

/**
 * A NIO buffer that is moved over native memory: a channel is shown one piece after the other
 * without an object for each. It keeps nothing alive; who moves it sees to it that the memory stays
 * as long as it is looked at.
 */
public final class NioWindow {
  private NioWindow() {}

  /**
   * Whether this JVM's NIO buffers can be moved; where they cannot, the rest must not be called.
   */
  public static boolean isAvailable() {
    return NativeBuffers.canWrap();
  }

  /** A direct buffer that shows nothing yet. */
  public static ByteBuffer create() {
    return NativeBuffers.wrap(0, 0);
  }

  /**
   * Shows other memory, position 0 at its first byte, big endian.
   *
   * @param window what {@link #create} made
   * @param bytes 0 or more
   */
  public static void move(ByteBuffer window, long address, int bytes) {
    NativeBuffers.move(window, address, bytes);
  }

  /** Shows nothing until it is moved again. */
  public static void shut(ByteBuffer window) {
    NativeBuffers.shut(window);
  }
}
