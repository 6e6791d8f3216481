/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Identity of a host. It does not change while the host runs.
 *
 * @param id 16 hexadecimal digits drawn at random when Cistern starts in a process: process ids
 *     mean nothing across containers, and come back
 * @param application the application's name as configured; empty if it has none
 * @param pod the pod's name where it is told; else empty
 * @param container the container's name where it is told; else empty
 * @param pid the process id as the host itself sees it; 0 if it is not known
 * @param version the version of Cistern that runs in the process
 * @param startMillis when Cistern started there, milliseconds since the epoch
 */
public record HostIdentity(
    String id,
    String application,
    String pod,
    String container,
    long pid,
    String version,
    long startMillis) {
  /** Returns the identity of this process, in which Cistern starts. */
  public static HostIdentity ofThisProcess(
      String application, String pod, String container, String version) {
    return new HostIdentity(
        newId(),
        application,
        pod,
        container,
        ProcessHandle.current().pid(),
        version,
        System.currentTimeMillis());
  }

  /** Not secret, only different: no two hosts in one directory may have the same. */
  private static String newId() {
    String digits = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return "0".repeat(16 - digits.length()) + digits;
  }
}
