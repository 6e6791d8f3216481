/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides who a client is, and whether it is let in at all. */
public interface AccessControl {
  /** Without any authentication: a client on this machine is trusted, others are anyone. */
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
   * @param caller who asks
   * @param user name of an authenticated client; otherwise empty
   * @param refusal what it gets instead of any page; null if it is let in
   */
  record Admission(ClientIdentity caller, String user, @Nullable Response refusal) {
    static Admission of(ClientIdentity caller) {
      return new Admission(caller, "", null);
    }

    static Admission authenticated(String user) {
      return new Admission(ClientIdentity.AUTHENTICATED, user, null);
    }

    static Admission refused(Response refusal) {
      return new Admission(ClientIdentity.ANYONE, "", refusal);
    }
  }

  /**
   * Looks at a request before anything else does.
   *
   * @param needsLogin false for what is there for everyone, whatever authentication there is
   */
  Admission admit(Request request, boolean needsLogin);

  /** Headers of every answer. */
  Map<String, String> headers();
}
