/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Classifies clients, and decides whether to admit their requests. */
public interface AccessControl {
  /** Access control without authentication. It trusts the clients on this machine only. */
  AccessControl LOCAL =
      new AccessControl() {
        @Override
        public Admission admit(Request request, boolean needsLogin) {
          return Admission.of(request.isLocal() ? ClientIdentity.LOCAL : ClientIdentity.ANYONE);
        }

        @Override
        public Map<String, String> headers() {
          return Map.of();
        }
      };

  /**
   * The decision about a request.
   *
   * @param client kind of the client
   * @param user name of an authenticated client; otherwise empty
   * @param refusal response instead of a page; null if the request is admitted
   */
  record Admission(ClientIdentity client, String user, @Nullable Response refusal) {
    static Admission of(ClientIdentity client) {
      return new Admission(client, "", null);
    }

    static Admission authenticated(String user) {
      return new Admission(ClientIdentity.AUTHENTICATED, user, null);
    }

    static Admission refused(Response refusal) {
      return new Admission(ClientIdentity.ANYONE, "", refusal);
    }
  }

  /**
   * Returns the decision about a request, before any other processing of the request.
   *
   * @param needsLogin false for a page that is open to all clients, even if authentication is
   *     configured
   */
  Admission admit(Request request, boolean needsLogin);

  /** Returns the headers of every response. */
  Map<String, String> headers();
}
