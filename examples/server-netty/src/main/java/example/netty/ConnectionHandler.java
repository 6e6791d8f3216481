/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;

/** Reads while the client accepts data, and flushes when the event loop has completed a read. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the connection.
abstract class ConnectionHandler extends ChannelInboundHandlerAdapter {
  private static final long MAX_DISCARDED_BYTES = 1 << 20;

  private boolean isInputEnded;
  private boolean isOutputEnded;
  private long discardedBytes;

  abstract void received(ChannelHandlerContext context, ByteBuf input);

  abstract void resume();

  abstract boolean isDone();

  abstract void released();

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    if (isOutputEnded) {
      discardedBytes += input.readableBytes();
      input.release();
      if (discardedBytes > MAX_DISCARDED_BYTES) {
        context.close();
      }
    } else {
      received(context, input);
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
    if (isDone()) {
      end(context);
    }
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean isWritable = context.channel().isWritable();
    context.channel().config().setAutoRead(isWritable);
    if (isWritable) {
      resume();
      context.flush();
      if (isInputEnded || isDone()) {
        end(context);
      }
    }
  }

  @Override
  public final void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      isInputEnded = true;
      end(context);
    }
  }

  /** Ends the connection after all pending writes. */
  private void end(ChannelHandlerContext context) {
    if (isInputEnded) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    } else if (!isOutputEnded) {
      isOutputEnded = true;
      DuplexChannel channel = (DuplexChannel) context.channel();
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(future -> channel.shutdownOutput());
    }
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    released();
    context.fireChannelInactive();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
