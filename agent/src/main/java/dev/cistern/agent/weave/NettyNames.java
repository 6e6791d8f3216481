/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Names of the instrumented classes, for any package prefix of the copy. */
public final class NettyNames {
  /** The pooled allocator, after the copy's prefix. */
  public static final String POOLED = "/buffer/PooledByteBufAllocator";

  /** The adaptive allocator, after the copy's prefix. */
  public static final String ADAPTIVE = "/buffer/AdaptiveByteBufAllocator";

  /** The superclass of all allocators, after the copy's prefix. */
  static final String ABSTRACT = "/buffer/AbstractByteBufAllocator";

  private static final String PACKAGE = "/buffer/";
  private static final String POOLED_BUFFER = "/buffer/PooledByteBuf";
  private static final String ADAPTIVE_BUFFER =
      "/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf"; // early 4.1 has none

  private NettyNames() {}

  /** Returns whether a class of this internal name may be one of the two allocators. */
  public static boolean isAllocator(String className) {
    // one cheap test first: this runs for every class that the application loads
    return className.endsWith("ByteBufAllocator")
        && (className.endsWith(POOLED) || className.endsWith(ADAPTIVE));
  }

  /**
   * Returns whether a class of this internal name may be an allocator of another library. Such a
   * class is in Netty's own package to access Netty's arenas.
   */
  static boolean isBesideNetty(String className) {
    return className.contains("Allocator")
        && className.startsWith(PACKAGE, className.lastIndexOf('/') - PACKAGE.length() + 1);
  }

  /**
   * Returns whether an allocator is that of Cistern's own library, which has the names of Netty's
   * API. It refers to engines of the library, which are relocated together with it.
   *
   * @param classFiles function from an internal class name to the class file, or null
   */
  public static boolean isOfLibrary(
      String className, Function<String, byte @Nullable []> classFiles) {
    byte[] classFile = isPooled(className) ? classFiles.apply(className) : null;
    try {
      return classFile != null
          && ClassShape.of(classFile)
              .hasMember("directPool L" + prefix(className) + "/pool/BufferPool;");
    } catch (RuntimeException unreadable) {
      return false; // it may be encrypted
    }
  }

  static boolean isPooled(String className) {
    return className.endsWith(POOLED);
  }

  /** Returns whether an allocator to instrument is Netty's, and not another library's. */
  static boolean isOfNetty(String className) {
    return isAllocator(className) || className.endsWith(ABSTRACT);
  }

  /** Returns the class of the buffers of an allocator of this internal name, or of its subclass. */
  public static String buffersOf(String allocatorClass) {
    boolean isAdaptive = allocatorClass.endsWith(ADAPTIVE);
    return prefix(allocatorClass) + (isAdaptive ? ADAPTIVE_BUFFER : POOLED_BUFFER);
  }

  /** Returns the package prefix of a class in Netty's package for buffers. */
  static String prefix(String className) {
    return className.substring(0, className.lastIndexOf(PACKAGE));
  }
}
