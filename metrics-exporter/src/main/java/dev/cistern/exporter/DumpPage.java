/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@code POST /debug/dump}: writes a dump and answers where it is. */
final class DumpPage implements Page {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int INTERNAL_ERROR = 500;

  private final @Nullable DiagnosticsDump dump;

  DumpPage(@Nullable DiagnosticsDump dump) {
    this.dump = dump;
  }

  @Override
  public Answer answer(Request request) {
    if (dump == null) {
      return Answer.line(
          NOT_FOUND, "There is no directory for dumps: set " + DiagnosticsDump.SETTING + ".");
    }
    try {
      return Answer.line(OK, dump.write("request").toString());
    } catch (DiagnosticsDump.InProgressException e) {
      return Answer.line(CONFLICT, "Another dump is being written. Try again when it has ended.");
    } catch (IOException e) {
      return Answer.line(INTERNAL_ERROR, "The dump could not be written; the log says why.");
    }
  }
}
