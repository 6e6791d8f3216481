/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.CallStack;
import java.util.List;

/**
 * A finder for the site of an allocation stack: the frame that a developer can act on.
 *
 * <p>Netty is often relocated, sometimes twice in one process. So the frames of the copy that
 * allocates are known by its prefix, and those of other copies by their structure.
 */
final class SiteFinder {
  /**
   * The packages of Cistern. The demonstration below {@code dev.cistern} is an application, and not
   * among them.
   */
  private static final String[] OWN_PACKAGES = {
    "dev.cistern.agent.",
    "dev.cistern.bridge.",
    "dev.cistern.buffer.",
    "dev.cistern.exporter.",
    "dev.cistern.io.",
    "dev.cistern.leak.",
    "dev.cistern.memory.",
    "dev.cistern.netty.",
    "dev.cistern.pool.",
    "dev.cistern.stats.",
    "dev.cistern.trace.",
    "dev.cistern.util.",
  };

  private final String nettyPrefix;
  private final String nettyBuffers;
  private final String nettyUtilities;
  private final SiteRules rules;

  /** Creates a finder without rules for frameworks. */
  SiteFinder(String nettyPrefix) {
    this(nettyPrefix, new SiteRules(List.of()));
  }

  /**
   * @param nettyPrefix the package prefix of the Netty copy that allocates, such as {@code
   *     io.netty}; another name matches nothing
   * @param rules further frames that are not a site
   */
  SiteFinder(String nettyPrefix, SiteRules rules) {
    this.nettyPrefix = nettyPrefix + ".";
    this.nettyBuffers = this.nettyPrefix + "buffer.";
    this.nettyUtilities = this.nettyPrefix + "util.";
    this.rules = rules;
  }

  /**
   * Returns the index of the site in a stack: the first frame outside Netty, the JDK, Cistern and
   * the rules; otherwise the first frame outside the buffer and utility packages of Netty (a read
   * of its event loop, or a framework's buffer factory); otherwise the first frame.
   *
   * @return -1 for a stack without frames
   */
  int siteIndex(StackTraceElement[] stack) {
    int fallback = stack.length == 0 ? -1 : 0;
    boolean isFallbackFound = false;
    for (int i = 0; i < stack.length; i++) {
      StackTraceElement frame = stack[i];
      if (isOwn(frame) || isJdk(frame) || isNettyBuffer(frame.getClassName())) {
        continue;
      }
      if (!isNetty(frame.getClassName()) && !rules.folds(frame)) {
        return i;
      }
      if (!isFallbackFound) {
        isFallbackFound = true;
        fallback = i;
      }
    }
    return fallback;
  }

  /** Returns the name of the site of a stack. */
  String site(StackTraceElement[] stack) {
    int index = siteIndex(stack);
    return index < 0 ? CallStack.UNKNOWN : name(stack[index]);
  }

  /**
   * Returns the method of a buffer that recorded an access: Cistern's outermost method at the top
   * of the stack, or that of Netty's leak-aware wrapper; empty for other stacks.
   */
  static String operation(StackTraceElement[] stack) {
    String operation = "";
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().contains("LeakAware")) {
        operation = frame.getMethodName();
      } else if (!isOwn(frame)) {
        break;
      } else if (frame.getClassName().contains(".buffer.")) {
        operation = frame.getMethodName();
      }
    }
    return operation;
  }

  /**
   * Returns whether a class belongs to Cistern and is no test, because tests use buffers like
   * applications.
   */
  static boolean isOwn(StackTraceElement frame) {
    String name = frame.getClassName();
    for (String own : OWN_PACKAGES) {
      if (name.startsWith(own)) {
        return !name.endsWith("Test") && !name.contains("Test$");
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
    return className.startsWith(nettyBuffers)
        || className.startsWith(nettyUtilities)
        || className.contains(".netty.buffer.")
        || className.contains(".netty.util.");
  }

  static String name(StackTraceElement frame) {
    String method = frame.getClassName() + "." + frame.getMethodName();
    return frame.getLineNumber() >= 0 ? method + ":" + frame.getLineNumber() : method;
  }
}
