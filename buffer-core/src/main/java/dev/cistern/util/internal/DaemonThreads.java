/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * A factory of this library's daemon threads. These threads outlive the application code that first
 * needs them, so they inherit nothing from its thread: context class loader, inheritable thread
 * locals, thread group and priority. Up to JDK 23 this includes the access control context, which
 * refers to the class loaders of all classes on the stack.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * Returns a new daemon thread, which is not started.
   *
   * @param name the name of the thread
   * @param task the task; it should ignore interrupts, because some hosts interrupt every thread
   */
  @SuppressWarnings("removal") // harmless on a JDK that does not need it
  public static Thread create(String name, Runnable task) {
    return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> make(name, task));
  }

  @SuppressWarnings("ThreadPriorityCheck") // the creating thread may have another priority
  private static Thread make(String name, Runnable task) {
    Thread thread = new Thread(topGroup(), task, name, 0, false);
    thread.setDaemon(true);
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.setContextClassLoader(null);
    return thread;
  }

  /**
   * Returns the top thread group, which exists as long as the JVM. Code can destroy or interrupt
   * any other group with its threads.
   */
  private static ThreadGroup topGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent; (parent = group.getParent()) != null; ) {
      group = parent;
    }
    return group;
  }
}
