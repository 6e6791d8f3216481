/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts about channels. */
final class Handlers {
  private static final String SEPARATOR = " > ";

  /** Suffix of the names that Netty gives to handlers without a name. */
  private static final String FIRST_OF_CLASS = "#0";

  private static final int MAX_LENGTH = 400;

  private Handlers() {}

  /** Returns the names of the handlers of a pipeline, from head to tail. */
  static String of(ChannelPipeline pipeline) {
    List<String> names = pipeline.names();
    StringBuilder text = new StringBuilder();
    for (String name : names.subList(0, Math.max(0, names.size() - 1))) { // the last is Netty's own
      String part =
          name.endsWith(FIRST_OF_CLASS)
              ? name.substring(0, name.length() - FIRST_OF_CLASS.length())
              : name;
      if (text.length() + part.length() > MAX_LENGTH) {
        text.append(SEPARATOR).append("...");
        break;
      }
      text.append(text.isEmpty() ? "" : SEPARATOR).append(part);
    }
    return text.toString();
  }

  /** Returns an address as text, without the name of the host; empty for null. */
  static String address(@Nullable SocketAddress address) {
    String text = address == null ? "" : address.toString();
    return address instanceof InetSocketAddress ? text.substring(text.lastIndexOf('/') + 1) : text;
  }
}
