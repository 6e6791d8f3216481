/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import dev.cistern.exporter.web.WebConfig.RateLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The access rules of a web configuration file, in the version in force. */
public final class WebSecurity {
  private final WebConfigFile file;
  private final PasswordCheck passwords = new PasswordCheck(new LoginHashes());

  /**
   * Limit for users that have logged in before, so that a flood of other requests does not lock
   * them out.
   */
  private final RateLimiter known = new RateLimiter(System::nanoTime);

  private final RateLimiter others = new RateLimiter(System::nanoTime);

  /** Result of a login. */
  public enum Login {
    /** No login is required. */
    NOT_NEEDED,
    /** The client has a right password, or a verified certificate. */
    PASSED,
    /** The password is missing or wrong. */
    NO_PASSWORD,
    /** The certificate is missing, or no longer valid. */
    NO_CERTIFICATE,
    /** Too many passwords are being compared. */
    BUSY,
    /** Too many requests. */
    TOO_MANY
  }

  /** TLS of the server; null without TLS. It does not change while the server runs. */
  private final @Nullable ReloadedTls tls;

  private WebSecurity(WebConfigFile file) throws WebConfigException {
    this.file = file;
    this.tls = file.current().tls() == null ? null : new ReloadedTls(file);
  }

  /**
   * Reads a web configuration file.
   *
   * @param log takes one line for each later version that cannot be used
   * @throws WebConfigException if it cannot be used
   */
  public static WebSecurity read(Path file, Consumer<String> log) throws WebConfigException {
    return new WebSecurity(new WebConfigFile(file, log, System::nanoTime));
  }

  /** Returns whether the file has TLS, which does not change while the server runs. */
  public boolean hasTls() {
    return tls != null;
  }

  /**
   * Returns the encrypted side of a connection, before its handshake.
   *
   * @throws IOException if the connection has ended
   */
  public SSLSocket encrypt(Socket socket) throws IOException {
    if (tls == null) {
      throw new IllegalStateException("the web configuration has no tls_server_config");
    }
    return tls.encrypt(socket);
  }

  /**
   * Checks the login of a request, which is slow for a password that was not seen before.
   *
   * @param client address of the client
   * @param authorization the values of all its {@code Authorization} lines
   * @param session its TLS session; null without TLS
   * @param needsLogin false for pages that are open to all clients, without a rate limit
   */
  public Login login(
      InetAddress client,
      List<String> authorization,
      @Nullable SSLSession session,
      boolean needsLogin) {
    LoadedConfig loaded = file.current();
    Login certificate = certificate(session, loaded);
    if (!needsLogin) {
      return certificate;
    }
    Map<String, String> users = loaded.config().users();
    boolean isRemembered = !users.isEmpty() && passwords.isRemembered(authorization, users);
    boolean isKnown =
        users.isEmpty()
            ? certificate == Login.PASSED
            : isRemembered && certificate != Login.NO_CERTIFICATE;
    RateLimit limit = loaded.config().rateLimit();
    if (limit != null && !(isKnown ? known : others).allows(limit)) {
      return Login.TOO_MANY;
    }
    if (certificate == Login.NO_CERTIFICATE || users.isEmpty()) {
      return certificate;
    }
    return isRemembered ? Login.PASSED : compare(client, authorization, users);
  }

  private Login compare(InetAddress client, List<String> authorization, Map<String, String> users) {
    return switch (passwords.check(authorization, users, client)) {
      case RIGHT -> Login.PASSED;
      case WRONG -> Login.NO_PASSWORD;
      case BUSY -> Login.BUSY;
    };
  }

  /**
   * Checks the certificate. It is checked for each request, because a connection may be older than
   * the file, and the certificate may have expired.
   */
  private static Login certificate(@Nullable SSLSession session, LoadedConfig loaded) {
    TlsMaterial tls = loaded.tls();
    if (tls == null || !tls.config().clientAuth().isVerified()) {
      return Login.NOT_NEEDED;
    }
    Login without = tls.config().clientAuth().isNeeded() ? Login.NO_CERTIFICATE : Login.NOT_NEEDED;
    try {
      if (session != null && session.getPeerCertificates() instanceof X509Certificate[] chain) {
        tls.clients().check(chain, chain[0].getPublicKey().getAlgorithm());
        return Login.PASSED;
      }
      return without;
    } catch (SSLPeerUnverifiedException e) {
      return without;
    } catch (CertificateException e) {
      return Login.NO_CERTIFICATE;
    }
  }

  /**
   * Returns the name of a client that has passed: its user, or the subject of its certificate.
   *
   * @param authorization the values of all its {@code Authorization} lines
   * @param session its TLS session; null without TLS
   */
  public String user(List<String> authorization, @Nullable SSLSession session) {
    String user =
        file.current().config().users().isEmpty() ? null : PasswordCheck.user(authorization);
    if (user != null) {
      return user;
    }
    try {
      return session == null ? "" : session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  /** Returns the additional headers of every response. */
  public Map<String, String> headers() {
    return file.current().config().headers();
  }

  /** Returns the number of versions of the file that could not be used. */
  public long reloadFailures() {
    return file.failures();
  }

  /** Returns when the version in force was read, in milliseconds since the epoch. */
  public long loadedMillis() {
    return file.current().loadedMillis();
  }

  /**
   * Returns the expiry time of the server's certificate, in milliseconds since the epoch; 0 without
   * TLS.
   */
  public long certificateExpiryMillis() {
    TlsMaterial tls = file.current().tls();
    return tls == null ? 0 : tls.expiryMillis();
  }
}
