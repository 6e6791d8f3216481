/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.HeldSite.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HolderTest {
  private static class MessageAggregator {}

  private static class Http2ConnectionHandler extends ByteToMessageDecoder {}

  private static class ByteToMessageDecoder {}

  private static final class OrderUploads extends MessageAggregator {}

  private static final class Frames extends ByteToMessageDecoder {}

  private static final class Calls extends Http2ConnectionHandler {}

  @Test
  void theSuperclassesOfAHandlerSayWhatItDoes() {
    String prefix = HolderTest.class.getName();
    assertThat(Holder.ofHandler(OrderUploads.class))
        .isEqualTo(new Holder(Place.AGGREGATOR, prefix + "$OrderUploads"));
    assertThat(Holder.ofHandler(Frames.class).place()).isEqualTo(Place.CUMULATION);
    assertThat(Holder.ofHandler(Calls.class).place()).isEqualTo(Place.HTTP2);
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
  })
  void aHintOfNettyNamesAHandler(String handler, Place place, String name) {
    assertThat(Holder.ofText("'" + handler + "' will handle the message from this point."))
        .isEqualTo(new Holder(place, name));
  }

  @Test
  void anotherHintIsAText() {
    assertThat(Holder.ofText("parsed")).isEqualTo(new Holder(Place.HINT, "parsed"));
    assertThat(Holder.ofText("x".repeat(1_000)).name()).hasSize(123).endsWith("...");
  }
}
