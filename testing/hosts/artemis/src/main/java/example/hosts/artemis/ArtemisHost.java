/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.artemis;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * Sends each body through a queue of an embedded broker; those above 100 KiB are large messages.
 */
public final class ArtemisHost {
  private static final long LIMIT_MILLIS = 30_000;

  private ArtemisHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(
        new ConfigurationImpl()
            .setPersistenceEnabled(false)
            .setSecurityEnabled(false)
            .setJMXManagementEnabled(false)
            .addAcceptorConfiguration("netty", "tcp://127.0.0.1:0"));
    broker.start();
    var acceptor =
        (NettyAcceptor) broker.getActiveMQServer().getRemotingService().getAcceptor("netty");
    ClientSessionFactory sessions =
        ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + acceptor.getActualPort())
            .createSessionFactory();
    Lifetime.serve(EchoServer.start(body -> send(sessions, body)));
  }

  private static byte[] send(ClientSessionFactory sessions, byte[] body) throws Exception {
    String queue = UUID.randomUUID().toString();
    try (ClientSession session = sessions.createSession()) {
      session.start();
      session.createQueue(
          QueueConfiguration.of(queue)
              .setRoutingType(RoutingType.ANYCAST)
              .setDurable(false)
              .setTemporary(true));
      ClientMessage message = session.createMessage(false);
      message.getBodyBuffer().writeBytes(body);
      session.createProducer(queue).send(message);
      try (var consumer = session.createConsumer(queue)) {
        ClientMessage received = consumer.receive(LIMIT_MILLIS);
        byte[] copy = new byte[received.getBodySize()];
        received.getBodyBuffer().readBytes(copy);
        received.acknowledge();
        return copy;
      }
    }
  }
}
