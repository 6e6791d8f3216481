/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import dev.cistern.netty.CisternAllocator;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;

/** Transports of Vert.x 5 whose TCP channels allocate from Cistern's pools. */
final class CisternTransport {
  private CisternTransport() {}

  static Transport nio() {
    return new TransportInternal("nio on cistern", true, null, new Nio());
  }

  static Transport epoll() {
    Epoll epoll = new Epoll();
    return new TransportInternal(
        "epoll on cistern", epoll.isAvailable(), epoll.unavailabilityCause(), epoll);
  }

  private static final class Nio extends NioTransport {
    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap server) {
      super.configure(config, domainSocket, server);
      server.childOption(ChannelOption.ALLOCATOR, CisternAllocator.forVertx());
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, Bootstrap client) {
      super.configure(config, domainSocket, client);
      client.option(ChannelOption.ALLOCATOR, CisternAllocator.forVertx());
    }
  }

  private static final class Epoll extends EpollTransport {
    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap server) {
      super.configure(config, domainSocket, server);
      server.childOption(ChannelOption.ALLOCATOR, CisternAllocator.forVertx());
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, Bootstrap client) {
      super.configure(config, domainSocket, client);
      client.option(ChannelOption.ALLOCATOR, CisternAllocator.forVertx());
    }
  }
}
