/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.HeldSite.Place;
import example.netty.handler.codec.ByteToMessageDecoder;
import example.netty.handler.codec.MessageAggregator;
import example.netty.handler.codec.http2.Http2ConnectionHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HolderTest {
  private static final class OrderUploads extends MessageAggregator {}

  private static final class OrderAggregator {}

  private static final class Frames extends ByteToMessageDecoder {}

  private static final class Calls extends Http2ConnectionHandler {}

  @Test
  void theSuperclassesOfAHandlerDetermineItsRole() {
    String prefix = HolderTest.class.getName();
    assertThat(Holder.ofHandler(OrderUploads.class))
        .isEqualTo(new Holder(Place.AGGREGATOR, prefix + "$OrderUploads"));
    assertThat(Holder.ofHandler(Frames.class).place()).isEqualTo(Place.CUMULATION);
    assertThat(Holder.ofHandler(Calls.class).place()).isEqualTo(Place.HTTP2);
    assertThat(Holder.ofHandler(OrderAggregator.class).place()).isEqualTo(Place.HANDLER);
    assertThat(Holder.ofHandler(HolderTest.class))
        .isEqualTo(new Holder(Place.HANDLER, HolderTest.class.getName()));
  }

  @ParameterizedTest
  @CsvSource({
    "HttpObjectAggregator#0,AGGREGATOR,HttpObjectAggregator",
    "DefaultChannelPipeline$HeadContext#0,OUTBOUND,DefaultChannelPipeline$HeadContext",
    "HttpServerCodec#12,CUMULATION,HttpServerCodec",
    "LengthFieldBasedFrameDecoder#0,CUMULATION,LengthFieldBasedFrameDecoder",
    "orders,HANDLER,orders",
    "my FrameDecoder,HANDLER,my FrameDecoder",
  })
  void aHintOfNettyNamesAHandler(String handler, Place place, String name) {
    assertThat(Holder.ofText("'" + handler + "' will handle the message from this point."))
        .isEqualTo(new Holder(place, name));
  }

  @Test
  void anotherHintIsAText() {
    assertThat(Holder.ofHint("parsed")).isEqualTo(new Holder(Place.HINT, "parsed"));
    assertThat(Holder.ofHint(7)).isEqualTo(new Holder(Place.HINT, "java.lang.Integer"));
    assertThat(Holder.ofText("x".repeat(1_000)).name()).hasSize(123).endsWith("...");
  }
}
