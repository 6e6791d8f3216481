/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

/** How the allocators that we weave are called, whatever Netty's package is called. */
public final class AllocatorNames {
  /** Of the pooled allocator, behind the copy's prefix. */
  public static final String POOLED = "/buffer/PooledByteBufAllocator";

  /** Of the adaptive allocator, behind the copy's prefix. */
  public static final String ADAPTIVE = "/buffer/AdaptiveByteBufAllocator";

  private AllocatorNames() {}

  /** Whether a class of this internal name may be one of them. */
  static boolean matches(String className) {
    // one cheap test first: this runs for every class that the application loads
    return className.endsWith("ByteBufAllocator")
        && (className.endsWith(POOLED) || className.endsWith(ADAPTIVE));
  }

  /** Whether it is the pooled one. */
  static boolean isPooled(String className) {
    return className.endsWith(POOLED);
  }

  /** Whether a method is one of the two in which an allocator makes its buffers. */
  static boolean makesBuffers(String prefix, String method, String descriptor) {
    return (method.equals("newHeapBuffer") || method.equals("newDirectBuffer"))
        && descriptor.equals("(II)L" + prefix + "/buffer/ByteBuf;");
  }

  static String prefix(String className) {
    int suffix = isPooled(className) ? POOLED.length() : ADAPTIVE.length();
    return className.substring(0, className.length() - suffix);
  }
}
