/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.plain;

import example.hosts.common.Answers;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** Sets up the pipeline of each accepted connection. */
final class Connections extends ChannelInitializer<Channel> {
  private final @Nullable SslContext context;

  Connections(@Nullable SslContext context) {
    this.context = context;
  }

  @Override
  protected void initChannel(Channel channel) {
    if (context != null) {
      channel.pipeline().addLast(context.newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(Answers.MAX_BODY_BYTES))
        .addLast(new Requests());
  }
}
