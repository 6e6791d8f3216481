/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request on a new connection. The calling thread sends it. {@code HttpURLConnection}
 * starts no thread in the host's JVM, as {@code java.net.http.HttpClient} would.
 *
 * <p>It follows no redirect, because that could send the login to another host, and repeats no
 * request. It does not use the application's {@link Authenticator}, whose logins are for other
 * servers. It checks the receiver's name and certificate even if the application has switched that
 * off for itself.
 *
 * @param timeoutMillis limit of connecting, of each wait for a part of the response, and of the
 *     whole response
 */
record HttpPost(int timeoutMillis) {
  /** Limit of a response; receivers send some bytes only. */
  private static final int MAX_RESPONSE_BYTES = 64 << 10;

  /**
   * Provides no login. The JDK reuses a connection only for the same authenticator. A new one for
   * each request prevents the use of a connection that the receiver is closing.
   */
  private static final class NoLogin extends Authenticator {}

  /**
   * A response.
   *
   * @param status the status code of HTTP
   * @param retryAfter the header {@code Retry-After}; null without one
   * @param body empty unless the status is 200
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Response(int status, @Nullable String retryAfter, byte[] body) {}

  /**
   * Sends a request and waits for the response.
   *
   * @throws IOException if there is no response
   */
  Response send(String url, Map<String, String> headers, byte[] body) throws IOException {
    if (!(URI.create(url).toURL().openConnection() instanceof HttpURLConnection connection)) {
      throw new IOException("the application replaced the JDK's handler of URLs");
    }
    try {
      prepare(connection, headers);
      connection.setFixedLengthStreamingMode(body.length); // otherwise the JDK may send it twice
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
      return response(connection);
    } catch (HttpRetryException e) { // how the JDK reports a status that requests a login
      return new Response(e.responseCode(), null, new byte[0]);
    } finally {
      connection.disconnect();
    }
  }

  private void prepare(HttpURLConnection connection, Map<String, String> headers)
      throws IOException {
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setUseCaches(false);
    connection.setInstanceFollowRedirects(false);
    connection.setAuthenticator(new NoLogin());
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    headers.forEach(connection::setRequestProperty);
    // Otherwise the JDK keeps the connection for reuse, and starts a timer thread for it.
    connection.setRequestProperty("Connection", "close");
    if (connection instanceof HttpsURLConnection secure) {
      try {
        secure.setSSLSocketFactory(SSLContext.getDefault().getSocketFactory());
      } catch (NoSuchAlgorithmException e) {
        throw new IOException("the JVM has no default TLS context", e);
      }
      // Called only if the certificate does not have the host's name.
      secure.setHostnameVerifier((host, session) -> false);
    }
  }

  private Response response(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status < 0) {
      throw new IOException("the response is not of HTTP");
    }
    byte[] body =
        status == HttpURLConnection.HTTP_OK
            ? read(connection.getInputStream())
            : new byte[0]; // any text, never logged
    return new Response(status, connection.getHeaderField("Retry-After"), body);
  }

  /**
   * Reads the response within the time limit, so that a receiver that sends byte by byte cannot
   * block the thread.
   */
  private byte[] read(InputStream in) throws IOException {
    long start = System.nanoTime();
    byte[] body = new byte[MAX_RESPONSE_BYTES];
    int length = 0;
    for (int read; length < body.length; length += read) {
      read = in.read(body, length, body.length - length);
      if (read < 0) {
        return Arrays.copyOf(body, length);
      }
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(timeoutMillis)) {
        throw new SocketTimeoutException("Read timed out");
      }
    }
    throw new IOException("the response has more than " + MAX_RESPONSE_BYTES + " bytes");
  }
}
