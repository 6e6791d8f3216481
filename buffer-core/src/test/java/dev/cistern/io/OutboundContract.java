/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PoolCheck;
import dev.cistern.buffer.TestAllocators;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Base class of the tests of outbound buffers. After each test, no slot of the pools may be in use.
 */
@ExtendWith(PoolCheck.class)
abstract class OutboundContract {
  static final OutboundSettings SETTINGS = OutboundSettings.of(TestAllocators.POOLED);

  final ConnectionEvents events = new ConnectionEvents();
  final TestChannel channel = new TestChannel();
  final OutboundBuffer outbound = new OutboundBuffer(SETTINGS, events);

  OutboundBuffer outbound(OutboundSettings settings) {
    return new OutboundBuffer(settings, events);
  }

  static ByteBuf direct(String text) {
    return TestAllocators.POOLED.directBuffer().writeBytes(text.getBytes(UTF_8));
  }

  static ByteBuf heap(String text) {
    return TestAllocators.POOLED.heapBuffer().writeBytes(text.getBytes(UTF_8));
  }

  /** Writes a message whose content is the name, with a listener of that name. */
  boolean write(String name) {
    return outbound.write(direct(name), events.listener(name));
  }

  String taken() {
    return new String(channel.taken(), UTF_8);
  }

  static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
