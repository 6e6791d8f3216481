/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import dev.cistern.leak.LeakSettings;
import dev.cistern.netty.pool.LeakLevel;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.internal.Settings;
import io.netty.buffer.ByteBuf;

/** The settings of this process, from system properties. */
final class ProcessSettings {
  private static final int MIN_CHUNK_BYTES = 1 << 20;
  private static final int MAX_CHUNK_BYTES = 64 << 20;
  private static final int MAX_ARENAS = 1 << 10;
  private static final long MAX_DECAY_MILLIS = 24L * 3600 * 1000;
  private static final boolean PREFER_DIRECT = Settings.flag("netty.preferDirect", true);

  private ProcessSettings() {}

  static boolean preferDirect() {
    return PREFER_DIRECT;
  }

  static NettyPoolSettings pool() {
    return new NettyPoolSettings(
        nettyPackage(),
        Settings.number("netty.arenas", 0, 0, MAX_ARENAS),
        Settings.powerOfTwo(
            "netty.chunkBytes",
            NettyPoolSettings.DEFAULT_CHUNK_BYTES,
            MIN_CHUNK_BYTES,
            MAX_CHUNK_BYTES),
        Settings.number(
            "netty.decayMillis", NettyPoolSettings.DEFAULT_DECAY_MILLIS, 0L, MAX_DECAY_MILLIS),
        false,
        true,
        LeakSettings.INTERVAL_BYTES,
        LeakLevel.valueOf(ResourceLeakDetector.getLevel().name()),
        Settings.text("leakDetection.samplingInterval") == null
            ? 0
            : LeakSettings.SAMPLING_INTERVAL,
        new NettyPoolSettings.LeakLimits(
            LeakSettings.RECORDS,
            LeakSettings.MAX_WATCHED,
            LeakSettings.BURST_NANOS,
            LeakSettings.QUARANTINE_BYTES),
        LeakSettings.SITE_RULES,
        true,
        null,
        new AllocatorHooks());
  }

  /**
   * Returns Netty's package without {@code buffer}. It differs from {@code io.netty} if Netty is
   * relocated.
   */
  private static String nettyPackage() {
    String buffers = ByteBuf.class.getPackageName();
    return buffers.substring(0, buffers.lastIndexOf('.'));
  }
}
