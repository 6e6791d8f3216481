/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.io.IOException;

/** Passes commands of clients of a sidecar to its hosts. */
@FunctionalInterface
public interface SidecarControl {
  /**
   * Writes a command for a host, and logs it.
   *
   * @param host a running host
   * @param command line in the form of the agent's control files, without a line end
   * @param user name of the authenticated client
   * @return the name of the written file
   * @throws IOException if the command cannot be written; the message has the name of the file and
   *     the cause
   */
  String write(HostView host, String command, String user) throws IOException;
}
