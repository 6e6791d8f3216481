/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.CisternChannels;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** An application that does not have Netty's codec of HTTP/2. */
class WithoutHttp2Test {
  private static final String OWN = "dev.cistern.bridge.channel.";
  private static final int POLLS = 40;

  /** A loader that defines the classes of the watch again, and does not find the codec. */
  private static final class Loader extends ClassLoader {
    int requests;

    Loader() {
      super(WithoutHttp2Test.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.netty.handler.codec.http2.")) {
        requests++;
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith(OWN)) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  /** Runs in the loader without the codec. */
  public static final class Polls implements Runnable {
    public Polls() {}

    @Override
    public void run() {
      EventLoopGroup loops = new NioEventLoopGroup(1);
      ChannelWatch watch = new ChannelWatch();
      watch.turn(true);
      try {
        Channel channel = new NioSocketChannel();
        loops.register(channel).syncUninterruptibly();
        CisternChannels.registered(
            channel.eventLoop(), new DefaultChannelPromise(channel, channel.eventLoop()));
        for (int i = 0; i < POLLS; i++) {
          watch.poll();
        }
        assertThat(watch.report().channels()).isEqualTo(1);
        assertThat(watch.report().streams().connections()).isZero();
      } finally {
        watch.turn(false);
        var unused = loops.shutdownGracefully();
      }
    }
  }

  /** A search fails to verify a class, and reads all jars of the application. */
  @Test
  void theCodecIsSearchedOnce() throws ReflectiveOperationException {
    Loader loader = new Loader();
    Runnable polls =
        (Runnable)
            loader.loadClass(OWN + "WithoutHttp2Test$Polls").getDeclaredConstructor().newInstance();
    polls.run();
    assertThat(loader.requests).isEqualTo(1);
  }
}
