/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.EndpointFigures.Refusal;
import dev.cistern.exporter.web.WebSecurity;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import javax.net.ssl.SSLSocket;

/** Lets in whom a web configuration file allows. */
final class WebGate implements Gate, HttpConnection.Encryption, Families.Part {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final WebSecurity security;
  private final EndpointFigures figures;

  WebGate(WebSecurity security, EndpointFigures figures) {
    this.security = security;
    this.figures = figures;
  }

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
              Answer.line(UNAUTHORIZED, "A user and a password are needed.")
                  .with(Map.of("WWW-Authenticate", "Basic realm=\"Cistern\", charset=\"UTF-8\"")));
      case NO_CERTIFICATE ->
          refused(
              Refusal.NO_LOGIN, Answer.line(FORBIDDEN, "A valid client certificate is needed."));
      case BUSY ->
          refused(
              Refusal.BUSY,
              Answer.line(UNAVAILABLE, "Too many logins at a time.")
                  .with(Map.of("Retry-After", "1")));
      case TOO_MANY ->
          refused(
              Refusal.RATE_LIMIT,
              Answer.line(TOO_MANY_REQUESTS, "Too many requests.")
                  .with(Map.of("Retry-After", "1")));
    };
  }

  @Override
  public HttpConnection.Encrypted accept(Socket socket) throws IOException {
    SSLSocket encrypted = security.encrypt(socket);
    encrypted.startHandshake();
    return new HttpConnection.Encrypted(encrypted, encrypted.getSession());
  }

  private Admission refused(Refusal reason, Answer answer) {
    figures.refused(reason);
    return Admission.refused(answer);
  }

  @Override
  public Map<String, String> headers() {
    return security.headers();
  }

  @Override
  public void addTo(Families to) {
    EndpointFigures.addWebConfig(
        to, security.reloadFailures(), security.loadedMillis(), security.certificateExpiryMillis());
  }
}
