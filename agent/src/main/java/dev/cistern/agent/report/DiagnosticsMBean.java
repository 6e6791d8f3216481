/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.io.IOException;

/** The diagnostics of all copies of Netty in this JVM, as {@code dev.cistern:type=Diagnostics}. */
public interface DiagnosticsMBean {
  /** Returns the leaks found since the start, as text. */
  String getLeaks();

  /** Returns the live buffers by site and age, as text. */
  String getLive();

  /** Returns the verdict on this process, as text. */
  String getVerdict();

  /**
   * Measures the parts of the resident memory now. This takes some milliseconds for each GiB. It is
   * an operation, because programs often read all attributes.
   *
   * @return the parts, as text
   */
  String memory();

  /**
   * Writes a dump of all diagnostics to the directory of the setting {@code dumpDirectory}. The
   * latest four requested dumps are kept; a requested dump does not replace an automatic one.
   *
   * @return the directory of the dump
   * @throws IOException if it could not be written
   * @throws IllegalStateException if no directory is set
   */
  String dump() throws IOException;
}
