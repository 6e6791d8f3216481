/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** Sets up the pipeline of each accepted connection. */
final class Connections extends ChannelInitializer<SocketChannel> {
  /** The largest request body that {@code /echo} accepts; the response to a larger one is 413. */
  static final int MAX_BODY_BYTES = 8 << 20;

  private final @Nullable SslContext context;
  private final Router router;

  Connections(@Nullable SslContext context, Router router) {
    this.context = context;
    this.router = router;
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    if (context != null) {
      channel.pipeline().addLast(context.newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
        .addLast(new RequestHandler(router));
  }
}
