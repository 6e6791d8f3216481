/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Threads of this library's own. They outlive whoever happened to need them first, and so keep
 * nothing of it: not its context class loader, its inherited thread locals, its thread group, its
 * priority, nor, up to JDK 23, its access control context, which knows the loaders of all who were
 * on its stack.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * A daemon thread, not started yet.
   *
   * @param name what a thread dump calls it
   * @param task what it does; it should ignore interrupts, which are meant for others
   */
  @SuppressWarnings("removal") // where it is no longer needed it does no harm
  public static Thread create(String name, Runnable task) {
    return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> make(name, task));
  }

  @SuppressWarnings("ThreadPriorityCheck") // it is the one that a starter may have changed
  private static Thread make(String name, Runnable task) {
    Thread thread = new Thread(topGroup(), task, name, 0, false);
    thread.setDaemon(true);
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.setContextClassLoader(null);
    return thread;
  }

  /**
   * Which ends with the JVM, where another group may be ended, or interrupted, with its threads.
   */
  private static ThreadGroup topGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent; (parent = group.getParent()) != null; ) {
      group = parent;
    }
    return group;
  }
}
