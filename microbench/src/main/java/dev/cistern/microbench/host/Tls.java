/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;

/** A client and a server with TLS 1.3, connected without a network. */
public abstract class Tls extends Workload {
  /** The provider of TLS. */
  @Param("JDK")
  public SslProvider engine = SslProvider.JDK;

  private @Nullable SslContext serverContext;
  private @Nullable SslContext clientContext;

  /** A client and a server with a completed handshake. */
  record Pair(EmbeddedChannel client, EmbeddedChannel server) {
    SslHandler handler() {
      return client.pipeline().get(SslHandler.class);
    }

    void close() {
      client.finishAndReleaseAll();
      server.finishAndReleaseAll();
    }
  }

  /** Returns the reason why OpenSSL is not available, or null. */
  static @Nullable String withoutOpenSsl() {
    return OpenSsl.isAvailable() ? null : "no netty-tcnative for this system";
  }

  /** Sets the provider and returns this workload. */
  final Tls by(SslProvider other) {
    engine = other;
    return this;
  }

  @Override
  void open() throws GeneralSecurityException, SSLException {
    SelfSigned identity = SelfSigned.make();
    serverContext =
        SslContextBuilder.forServer(identity.key(), identity.certificate())
            .sslProvider(engine)
            .protocols("TLSv1.3")
            .build();
    clientContext =
        SslContextBuilder.forClient()
            .trustManager(identity.certificate())
            .endpointIdentificationAlgorithm(null)
            .sslProvider(engine)
            .protocols("TLSv1.3")
            .build();
  }

  private static EmbeddedChannel channel(@Nullable SslContext context) {
    if (context == null) {
      throw new IllegalStateException("not opened");
    }
    return new EmbeddedChannel(context.newHandler(ByteBufAllocator.DEFAULT));
  }

  /** Completes a handshake. */
  final Pair connect() {
    Pair pair = new Pair(channel(clientContext), channel(serverContext));
    Embedded.exchange(pair.client(), pair.server());
    if (!pair.handler().handshakeFuture().isSuccess()) {
      throw new IllegalStateException("no handshake", pair.handler().handshakeFuture().cause());
    }
    return pair;
  }

  /** Releases everything that the channel has decrypted, and returns its length in bytes. */
  static int discardReceived(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf in = channel.readInbound(); in != null; in = channel.readInbound()) {
      bytes += in.readableBytes();
      in.release();
    }
    return bytes;
  }

  /**
   * Records everything that the channel has decrypted as one buffer, because its splits may differ.
   */
  static void recordReceived(EmbeddedChannel channel, Outcome into) {
    ByteBuf all = channel.alloc().buffer();
    for (ByteBuf in = channel.readInbound(); in != null; in = channel.readInbound()) {
      into.saw(in);
      all.writeBytes(in);
      ReferenceCountUtil.release(in);
    }
    into.add(all);
    all.release();
  }

  @Override
  void close() {
    ReferenceCountUtil.release(serverContext);
    ReferenceCountUtil.release(clientContext);
  }
}
