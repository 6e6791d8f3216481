/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.HeldSite.Place;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a live buffer was last passed to.
 *
 * @param place its kind
 * @param name class of a handler, or text of another hint
 */
public record Holder(Place place, String name) {
  /** The text of Netty's own hints, with the name of the handler. */
  private static final Pattern HANDLER =
      Pattern.compile("'(.*?)(#\\d+)?' will handle the message from this point\\.");

  private static final int MAX_NAME = 120;

  /** Returns the holder for a handler of Netty or of an application. */
  public static Holder ofHandler(Class<?> handler) {
    for (Class<?> type = handler; type != null; type = type.getSuperclass()) {
      Place place = place(type.getName());
      if (place != Place.HANDLER) {
        return new Holder(place, handler.getName());
      }
    }
    return new Holder(Place.HANDLER, handler.getName());
  }

  /** Returns the holder for a hint as text, such as those that Netty's channels give. */
  public static Holder ofText(String hint) {
    Matcher handler = HANDLER.matcher(hint);
    if (handler.matches()) {
      return new Holder(place(handler.group(1)), handler.group(1));
    }
    return new Holder(
        Place.HINT, hint.length() > MAX_NAME ? hint.substring(0, MAX_NAME) + "..." : hint);
  }

  /** Returns the place of a handler by the end of the name of its class, whatever its package. */
  private static Place place(String name) {
    if (name.endsWith("HeadContext")) {
      return Place.OUTBOUND;
    }
    if (name.endsWith("Http2ConnectionHandler") || name.endsWith("Http2FrameCodec")) {
      return Place.HTTP2;
    }
    if (name.endsWith("Aggregator")) {
      return Place.AGGREGATOR;
    }
    boolean isDecoder =
        name.endsWith("ByteToMessageDecoder")
            || name.endsWith("CombinedChannelDuplexHandler")
            || name.endsWith("FrameDecoder")
            || name.endsWith("ServerCodec")
            || name.endsWith("ClientCodec");
    return isDecoder ? Place.CUMULATION : Place.HANDLER;
  }
}
