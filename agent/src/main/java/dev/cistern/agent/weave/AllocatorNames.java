/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the allocators that we weave are called, whatever Netty's package is called. */
public final class AllocatorNames {
  /** Of the pooled allocator, behind the copy's prefix. */
  public static final String POOLED = "/buffer/PooledByteBufAllocator";

  /** Of the adaptive allocator, behind the copy's prefix. */
  public static final String ADAPTIVE = "/buffer/AdaptiveByteBufAllocator";

  private AllocatorNames() {}

  private static final String PACKAGE = "/buffer/";

  /** Whether a class of this internal name may be one of them. */
  public static boolean matches(String className) {
    // one cheap test first: this runs for every class that the application loads
    return className.endsWith("ByteBufAllocator")
        && (className.endsWith(POOLED) || className.endsWith(ADAPTIVE));
  }

  /**
   * Returns whether a class of this internal name may be an allocator of another library in Netty's
   * own package, where it can reach Netty's arenas.
   */
  static boolean isBesideNettys(String className) {
    return className.contains("Allocator")
        && className.startsWith(PACKAGE, className.lastIndexOf('/') - PACKAGE.length() + 1);
  }

  /**
   * Returns whether an allocator is that of Cistern's own library, which has the names of Netty's
   * API. It holds engines of the library, which are relocated together with it.
   *
   * @param classFiles from an internal class name to the class file, or null
   */
  public static boolean isOfLibrary(
      String className, Function<String, byte @Nullable []> classFiles) {
    byte[] classFile = isPooled(className) ? classFiles.apply(className) : null;
    return classFile != null
        && ClassShape.of(classFile)
            .hasField("directPool", "L" + prefix(className) + "/pool/BufferPool;");
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

  /** The package prefix of a class in Netty's package for buffers. */
  static String prefix(String className) {
    return className.substring(0, className.lastIndexOf(PACKAGE));
  }
}
