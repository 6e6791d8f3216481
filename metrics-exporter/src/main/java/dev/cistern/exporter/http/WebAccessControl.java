/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.http.EndpointFigures.Refusal;
import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.web.WebSecurity;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import javax.net.ssl.SSLSocket;

/** Access control by a web configuration file. */
public record WebAccessControl(WebSecurity security, EndpointFigures figures)
    implements AccessControl, HttpConnection.Encryption, ExporterState.Source {
  private static final int UNAUTHORIZED = 401;

  @Override
  public Admission admit(Request request, boolean needsLogin) {
    return switch (security.login(
        request.address(), request.header("Authorization"), request.tls(), needsLogin)) {
      case NOT_NEEDED -> LOCAL.admit(request, needsLogin);
      case PASSED ->
          Admission.authenticated(security.user(request.header("Authorization"), request.tls()));
      case NO_PASSWORD ->
          refused(
              Refusal.NO_LOGIN,
              Response.line(UNAUTHORIZED, "A user and a password are needed.")
                  .with(Map.of("WWW-Authenticate", "Basic realm=\"Cistern\", charset=\"UTF-8\"")));
      case NO_CERTIFICATE ->
          refused(
              Refusal.NO_LOGIN,
              Response.line(Response.FORBIDDEN, "A valid client certificate is needed."));
      case BUSY ->
          refused(
              Refusal.BUSY,
              Response.line(Response.UNAVAILABLE, "Too many logins at a time.")
                  .with(Map.of("Retry-After", "1")));
      case TOO_MANY ->
          refused(
              Refusal.RATE_LIMIT,
              Response.line(Response.TOO_MANY_REQUESTS, "Too many requests.")
                  .with(Map.of("Retry-After", "1")));
    };
  }

  @Override
  public HttpConnection.Encrypted accept(Socket socket) throws IOException {
    SSLSocket encrypted = security.encrypt(socket);
    encrypted.startHandshake();
    return new HttpConnection.Encrypted(encrypted, encrypted.getSession());
  }

  private Admission refused(Refusal reason, Response response) {
    figures.refused(reason);
    return Admission.refused(response);
  }

  @Override
  public Map<String, String> headers() {
    return security.headers();
  }

  @Override
  public void addTo(ExporterState to) {
    to.set(ExporterFigures.WEB_CONFIG_RELOAD_FAILURES, security.reloadFailures());
    to.set(ExporterFigures.WEB_CONFIG_LOAD_TIME, security.loadedMillis());
    if (security.certificateExpiryMillis() != 0) {
      to.set(ExporterFigures.WEB_CERTIFICATE_EXPIRY, security.certificateExpiryMillis());
    }
  }
}
