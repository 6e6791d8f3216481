/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.HeldSite.Place;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a live buffer: the object that the buffer was last passed to.
 *
 * <p>The methods for maps are written by hand, because the generated methods of a record would keep
 * the class loader reachable on JDK 17.
 *
 * @param place the kind of the holder
 * @param name class of a handler, or text of another hint
 */
public record Holder(Place place, String name) {
  /** The pattern of Netty's own hints, with the name of the handler. */
  private static final Pattern HANDLER =
      Pattern.compile("'(.*?)(#\\d+)?' will handle the message from this point\\.");

  private static final String OUTBOUND = "channel.DefaultChannelPipeline$HeadContext";

  /** The kinds by the ends of the names of Netty's classes, for any package prefix of a copy. */
  private static final Map<String, Place> PLACES =
      Map.of(
          OUTBOUND,
          Place.OUTBOUND,
          "handler.stream.ChunkedWriteHandler",
          Place.OUTBOUND,
          "handler.ssl.SslHandler",
          Place.HANDLER,
          "handler.codec.http2.Http2ConnectionHandler",
          Place.HTTP2,
          "handler.codec.MessageAggregator",
          Place.AGGREGATOR,
          "handler.codec.ByteToMessageDecoder",
          Place.CUMULATION,
          "channel.CombinedChannelDuplexHandler",
          Place.CUMULATION);

  private static final int MAX_NAME = 120;

  /** Returns the holder for a handler of Netty or of an application. */
  public static Holder ofHandler(Class<?> handler) {
    for (Class<?> type = handler; type != null; type = type.getSuperclass()) {
      Place place = place(type.getName());
      if (place != null) {
        return new Holder(place, handler.getName());
      }
    }
    return new Holder(Place.HANDLER, handler.getName());
  }

  private static @Nullable Place place(String className) {
    for (Map.Entry<String, Place> each : PLACES.entrySet()) {
      if (className.endsWith(each.getKey())) {
        return each.getValue();
      }
    }
    return null;
  }

  /**
   * Returns the holder for the hint of an application: its text, or the class of an object. The
   * text of an object may be expensive.
   */
  public static Holder ofHint(Object hint) {
    return hint instanceof String text
        ? ofText(text)
        : new Holder(Place.HINT, hint.getClass().getName());
  }

  /** Returns the holder for a hint as text, such as those of Netty's channels. */
  public static Holder ofText(String hint) {
    Matcher handler = HANDLER.matcher(hint);
    if (handler.matches()) {
      boolean isClass = handler.group(2) != null; // otherwise the application chose the name
      return new Holder(isClass ? placeOfClass(handler.group(1)) : Place.HANDLER, handler.group(1));
    }
    return new Holder(
        Place.HINT, hint.length() > MAX_NAME ? hint.substring(0, MAX_NAME) + "..." : hint);
  }

  /**
   * Returns the place of a class by its name without a package, because its superclasses are
   * unknown.
   */
  private static Place placeOfClass(String simpleName) {
    if (OUTBOUND.endsWith('.' + simpleName)) {
      return Place.OUTBOUND;
    }
    if (simpleName.equals("Http2ConnectionHandler") || simpleName.equals("Http2FrameCodec")) {
      return Place.HTTP2;
    }
    if (simpleName.equals("HttpObjectAggregator")
        || simpleName.equals("WebSocketFrameAggregator")) {
      return Place.AGGREGATOR;
    }
    boolean isDecoder =
        simpleName.equals("HttpServerCodec")
            || simpleName.equals("HttpClientCodec")
            || simpleName.endsWith("FrameDecoder");
    return isDecoder ? Place.CUMULATION : Place.HANDLER;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Holder holder && place == holder.place && name.equals(holder.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(place, name);
  }
}
