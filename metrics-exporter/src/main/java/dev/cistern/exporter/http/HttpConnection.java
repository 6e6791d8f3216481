/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.http.EndpointFigures.Refusal;
import dev.cistern.exporter.http.ResponseMemory.ReservedResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseWriter;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.protocol.HttpDateGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One connection. Its thread reads with blocking calls. The listener's thread ends these calls by
 * closing the socket when the client takes too long, or when a new connection needs the place.
 */
public final class HttpConnection implements Runnable, PageSlots.Waiter {
  private static final int BUFFER_BYTES = 8 << 10;
  private static final int MAX_DRAINED_BYTES = 64 << 10;

  private final Socket socket;
  private final HttpListener listener;
  private final Encryption encryption;
  private final Handler handler;
  private final EndpointFigures figures;

  /** The current phase of the thread. This object's lock guards it and the next two fields. */
  private Phase phase = Phase.REQUEST;

  private long phaseStartNanos = System.nanoTime();
  private boolean isClosed;

  /** The connection's thread, which sets this before it enters another phase. */
  private volatile @Nullable Thread thread;

  /** Phase of a connection, with its time limit in seconds. */
  private enum Phase {
    /** Waiting for the TLS handshake and a whole request. */
    REQUEST(5),
    /** Waiting for the next request. */
    IDLE(30),
    /** Waiting for a slot while pages for other clients are being made. */
    QUEUED(Long.MAX_VALUE),
    /** Not waiting: the thread makes the response. */
    WORKING(Long.MAX_VALUE),
    /** Waiting for the client to take the response. */
    RESPONSE(10),
    /** Waiting for the client to close its end. */
    CLOSING(1);

    private final long limitNanos;

    Phase(long limitSeconds) {
      limitNanos = TimeUnit.SECONDS.toNanos(limitSeconds);
    }
  }

  /** Makes responses. */
  interface Handler {
    /**
     * Returns the response to a request.
     *
     * @param waiter the connection, which may have to wait for requests of other clients
     */
    ReservedResponse respond(Request request, PageSlots.Waiter waiter) throws IOException;

    /** Returns the response to a malformed request. */
    ReservedResponse refuse(MalformedRequestException malformed) throws IOException;

    /** Returns the headers of a response, except the length. */
    Map<String, String> headers(ReservedResponse response);
  }

  /** Encrypts connections. */
  public interface Encryption {
    /** No encryption. */
    Encryption NONE = socket -> new Encrypted(socket, null);

    /** Performs the handshake. */
    Encrypted accept(Socket socket) throws IOException;
  }

  /**
   * An encrypted connection.
   *
   * @param session TLS session, which identifies the client; null without encryption
   */
  record Encrypted(Socket socket, @Nullable SSLSession session) {}

  public HttpConnection(
      Socket socket,
      HttpListener listener,
      Encryption encryption,
      Handler handler,
      EndpointFigures figures) {
    this.socket = socket;
    this.listener = listener;
    this.encryption = encryption;
    this.handler = handler;
    this.figures = figures;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      socket.setTcpNoDelay(true);
      serve(encryption.accept(socket));
    } catch (IOException | HttpException e) {
      // The client has disconnected, or does not speak HTTP or TLS correctly.
    } catch (RuntimeException | Error e) {
      figures.pageFailed();
    } finally {
      close();
      listener.ended(this);
    }
  }

  private void serve(Encrypted client) throws IOException, HttpException {
    RequestReader requests = new RequestReader(client, new Peer(socket));
    OutputStream out = new BufferedOutputStream(client.socket().getOutputStream(), BUFFER_BYTES);
    boolean isKept = true;
    while (isKept && requests.awaitRequest()) {
      enter(Phase.REQUEST);
      isKept = serveOne(requests, out);
      enter(isKept ? Phase.IDLE : Phase.CLOSING);
    }
    if (requests.hasUnread()) {
      drain(client.socket());
    }
    client.socket().close();
  }

  /** Returns whether the connection may serve another request. */
  private boolean serveOne(RequestReader requests, OutputStream out)
      throws IOException, HttpException {
    Request request;
    try {
      request = requests.read();
    } catch (MalformedRequestException e) {
      enter(Phase.WORKING);
      try (ReservedResponse response = handler.refuse(e)) {
        send(response, true, true, out);
      }
      return false;
    }
    enter(Phase.WORKING);
    try (ReservedResponse response = handler.respond(request, this)) {
      // Closing lets waiting connections have this place before a client with many requests.
      boolean isKept = requests.mayKeepConnection() && !listener.isFull();
      send(response, !request.method().equals("HEAD"), !isKept, out);
      return isKept;
    }
  }

  private void send(ReservedResponse response, boolean hasBody, boolean isLast, OutputStream out)
      throws IOException, HttpException {
    enter(Phase.RESPONSE);
    int status = response.head().status();
    ClassicHttpResponse head = new BasicClassicHttpResponse(status);
    head.setHeader("Date", HttpDateGenerator.INSTANCE.getCurrentDate());
    handler.headers(response).forEach(head::setHeader);
    head.setHeader("Content-Length", Long.toString(response.sentBytes()));
    if (isLast) {
      head.setHeader("Connection", "close");
    }
    SessionOutputBufferImpl buffer = new SessionOutputBufferImpl(BUFFER_BYTES);
    new DefaultHttpResponseWriter().write(head, buffer, out);
    buffer.flush(out);
    if (hasBody) {
      response.write(out);
    }
    out.flush();
  }

  /**
   * Reads the rest of the request. Otherwise the operating system would reset the connection, and
   * the client could lose the response.
   */
  private static void drain(Socket client) throws IOException {
    client.shutdownOutput();
    InputStream in = client.getInputStream();
    byte[] drained = new byte[BUFFER_BYTES];
    int left = MAX_DRAINED_BYTES;
    while (left > 0) {
      int read = in.read(drained);
      left = read < 0 ? 0 : left - read;
    }
  }

  @Override
  public void startWaiting() throws IOException {
    enter(Phase.QUEUED);
  }

  @Override
  public synchronized boolean isReplaced() {
    return isClosed;
  }

  @Override
  public void endWaiting() throws IOException {
    enter(Phase.WORKING);
  }

  private synchronized void enter(Phase next) throws IOException {
    if (isClosed) {
      throw new IOException("the listener closed this connection");
    }
    phase = next;
    phaseStartNanos = System.nanoTime();
  }

  /**
   * Returns how long the connection has waited, for its client or for a slot, in nanoseconds; -1 if
   * it is not waiting.
   */
  synchronized long waitedNanos(long nowNanos) {
    return isClosed || phase == Phase.WORKING ? -1 : Math.max(0, nowNanos - phaseStartNanos);
  }

  /** Returns whether the connection waits for its next request. */
  synchronized boolean isIdle() {
    return phase == Phase.IDLE;
  }

  /** Closes the connection unless a response is being made, and returns whether it did. */
  synchronized boolean closeIfWaiting() {
    if (isClosed || phase == Phase.WORKING) {
      return false;
    }
    close();
    return true;
  }

  /** Closes the connection if the client has exceeded its time limit. */
  synchronized void closeIfOverdue(long nowNanos) {
    if (waitedNanos(nowNanos) > phase.limitNanos) {
      if (phase == Phase.REQUEST || phase == Phase.RESPONSE) {
        figures.refused(Refusal.SLOW);
      }
      close();
    }
  }

  /** Closes the socket, which ends the reads and writes of the connection's thread. */
  synchronized void close() {
    isClosed = true;
    HttpListener.close(socket);
    Thread waiting = thread;
    if (phase == Phase.QUEUED && waiting != null) {
      waiting.interrupt();
    }
  }
}
