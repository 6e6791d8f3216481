/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.snippets;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.io.OutboundBuffer;
import dev.cistern.io.OutboundListener;
import dev.cistern.io.ReceiveSizer;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The superclass of each snippet, with the members that the pages assume. */
public abstract class Given {
  protected @Nullable PooledByteBufAllocator allocator;
  protected @Nullable ByteBuf answer;
  protected @Nullable ByteBuf body;
  protected @Nullable Bootstrap bootstrap;
  protected @Nullable SocketChannel channel;
  protected @Nullable OutboundListener connection;
  protected @Nullable Path directory;
  protected @Nullable ByteBuf head;
  protected System.@Nullable Logger log;
  protected io.netty.buffer.@Nullable ByteBuf nettyBuffer;
  protected @Nullable OutboundBuffer outbound;
  protected @Nullable MeterRegistry registry;
  protected @Nullable ServerBootstrap serverBootstrap;
  protected @Nullable ReceiveSizer sizer;
  protected @Nullable AllocatorSource source;

  /** A stand-in for Spring's annotation. */
  protected @interface Bean {}
}
