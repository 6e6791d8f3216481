/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@code POST /debug/dump}: writes a dump and returns its path. */
public record DumpPage(@Nullable DiagnosticsDump dump) implements Page {
  private static final int CONFLICT = 409;

  @Override
  public Response respond(Request request) {
    if (dump == null) {
      return Response.line(
          Response.NOT_FOUND,
          "There is no directory for dumps: set " + DiagnosticsDump.SETTING + ".");
    }
    try {
      return Response.line(Response.OK, dump.write("http").toString());
    } catch (DiagnosticsDump.InProgressException e) {
      return Response.line(CONFLICT, "Another dump is being written. Try again when it has ended.");
    } catch (IOException e) {
      return Response.line(
          Response.INTERNAL_ERROR, "The dump could not be written; the log says why.");
    }
  }
}
