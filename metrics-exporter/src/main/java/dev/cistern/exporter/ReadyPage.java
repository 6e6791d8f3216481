/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** {@code /-/ready}: whether the next scrape can be answered. */
final class ReadyPage implements Page {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Hosts hosts;

  ReadyPage(Hosts hosts) {
    this.hosts = hosts;
  }

  @Override
  public Answer answer(Request request) {
    try {
      hosts.all();
      return Answer.line(OK, "Cistern is ready.");
    } catch (RuntimeException | LinkageError e) {
      return Answer.line(UNAVAILABLE, "Cistern cannot ask its pools.");
    }
  }
}
