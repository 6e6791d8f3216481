/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

/** How the buffers are called whose end is told of, whatever Netty's package is called. */
public final class BufferNames {
  /** Of the pooled allocator's buffers, behind the copy's prefix. */
  public static final String POOLED = "/buffer/PooledByteBuf";

  /** Of the adaptive allocator's buffers, behind the copy's prefix; early 4.1 has none. */
  public static final String ADAPTIVE = "/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf";

  private BufferNames() {}

  /** Whether a class of this internal name may be one of them. */
  static boolean matches(String className) {
    return className.endsWith(POOLED) || className.endsWith(ADAPTIVE);
  }

  static String prefix(String className) {
    int suffix = className.endsWith(POOLED) ? POOLED.length() : ADAPTIVE.length();
    return className.substring(0, className.length() - suffix);
  }

  /** The buffers of an allocator of this internal name. */
  public static String ofAllocator(String allocatorClass) {
    return AllocatorNames.prefix(allocatorClass)
        + (AllocatorNames.isPooled(allocatorClass) ? POOLED : ADAPTIVE);
  }
}
