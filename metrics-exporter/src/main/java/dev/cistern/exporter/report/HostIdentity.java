/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Identity of a host. It does not change while the host runs.
 *
 * @param id 16 random hexadecimal digits, drawn when Cistern starts in a process, because process
 *     IDs repeat and differ between containers
 * @param application the application's name as configured; empty if it has none
 * @param pod the pod's name as configured; otherwise empty
 * @param container the container's name as configured; otherwise empty
 * @param pid the process ID inside the host's own container; 0 if it is not known
 * @param version the version of Cistern that runs in the process
 * @param startMillis when Cistern started in the process, in milliseconds since the epoch
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

  /** Returns a new ID. It must be unique among the hosts of a directory, but not secret. */
  private static String newId() {
    String digits = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return "0".repeat(16 - digits.length()) + digits;
  }
}
