/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/**
 * Tells which frame of an allocation stack somebody can act on.
 *
 * <p>Netty is often relocated, sometimes twice in one process, so its frames are known by the
 * prefix of the copy that allocates, and any other copy's by its structure.
 */
final class SiteFinder {
  /** The site of a stack without frames. */
  static final String UNKNOWN = "unknown";

  /** Not all of {@code dev.cistern}: an application may live below it, like our demonstration. */
  private static final String[] OWN_PACKAGES = {
    "dev.cistern.agent.",
    "dev.cistern.bridge.",
    "dev.cistern.buffer.",
    "dev.cistern.exporter.",
    "dev.cistern.io.",
    "dev.cistern.leak.",
    "dev.cistern.memory.",
    "dev.cistern.pool.",
    "dev.cistern.stats.",
    "dev.cistern.util.",
  };

  private final String nettyPrefix;

  /**
   * @param nettyPrefix the package prefix of the Netty copy that allocates, such as {@code
   *     io.netty}; a name that is not a package's matches nothing
   */
  SiteFinder(String nettyPrefix) {
    this.nettyPrefix = nettyPrefix + ".";
  }

  /**
   * Returns the site of a stack: the first frame outside Netty, the JDK and Cistern; if there is
   * none, the first that is at least outside the buffer and utility packages of Netty (a read of
   * its event loop, for example); if there is none either, the first frame.
   */
  String site(StackTraceElement[] stack) {
    StackTraceElement fallback = null;
    for (StackTraceElement frame : stack) {
      if (isOwn(frame) || isJdk(frame) || isNettyBuffer(frame.getClassName())) {
        continue;
      }
      if (!isNetty(frame.getClassName())) {
        return name(frame);
      }
      if (fallback == null) {
        fallback = frame;
      }
    }
    if (fallback != null) {
      return name(fallback);
    }
    return stack.length == 0 ? UNKNOWN : name(stack[0]);
  }

  static boolean isOwn(StackTraceElement frame) {
    for (String own : OWN_PACKAGES) {
      if (frame.getClassName().startsWith(own)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isJdk(StackTraceElement frame) {
    String module = frame.getModuleName();
    if (module != null && (module.startsWith("java.") || module.startsWith("jdk."))) {
      return true;
    }
    String name = frame.getClassName();
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }

  private boolean isNetty(String className) {
    return className.startsWith(nettyPrefix)
        || className.startsWith("io.netty.")
        || className.contains(".io.netty.")
        || isNettyBuffer(className);
  }

  private boolean isNettyBuffer(String className) {
    return className.startsWith(nettyPrefix + "buffer.")
        || className.startsWith(nettyPrefix + "util.")
        || className.contains(".netty.buffer.")
        || className.contains(".netty.util.");
  }

  private static String name(StackTraceElement frame) {
    String method = frame.getClassName() + "." + frame.getMethodName();
    return frame.getLineNumber() >= 0 ? method + ":" + frame.getLineNumber() : method;
  }
}
