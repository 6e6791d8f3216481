/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.Unpooled;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that writability follows the water marks, and that each change is reported once. */
@Tag("H1")
class WaterMarksTest extends OutboundContract {
  private static final int OVERHEAD = OutboundBuffer.MESSAGE_OVERHEAD_BYTES;

  private final OutboundBuffer marked =
      outbound(SETTINGS.withWaterMarks(new WaterMarks(OVERHEAD + 2, 2 * OVERHEAD + 4)));

  @Test
  void aboveTheHighMarkItIsNotWritableUntilItIsAtTheLowOne() throws IOException {
    marked.write(direct("abc"));
    assertThat(marked.bytesBeforeUnwritable()).isEqualTo(OVERHEAD + 2);
    assertThat(marked.bytesBeforeWritable()).isZero();
    marked.write(direct("d"));
    assertThat(marked.isWritable()).as("at the mark").isTrue();
    marked.write(Unpooled.EMPTY_BUFFER);
    assertThat(marked.isWritable()).isFalse();
    assertThat(marked.bytesBeforeUnwritable()).isZero();
    assertThat(marked.bytesBeforeWritable()).isEqualTo(2 * OVERHEAD + 2);
    marked.flush();
    channel.room = 2;
    marked.writeTo(channel);
    channel.room = 100;
    assertThat(marked.bytesBeforeWritable()).isEqualTo(2 * OVERHEAD);
    marked.writeTo(channel);
    assertThat(events.log).containsExactly("not writable", "writable");
    assertThat(marked.isWritable()).isTrue();
  }

  @Test
  void exactlyAtTheLowMarkItIsWritableAgain() throws IOException {
    marked.write(direct("ab"));
    marked.write(direct("abcd"));
    assertThat(events.log).containsExactly("not writable");
    marked.flush();
    channel.room = 3;
    marked.writeTo(channel);
    assertThat(events.log).as("one byte above").containsExactly("not writable");
    channel.room = 1;
    marked.writeTo(channel);
    assertThat(events.log).containsExactly("not writable", "writable");
    marked.close(new IOException("the end"));
  }

  @Test
  void aListenerMayWriteAtOnce() throws IOException {
    OutboundSettings settings = SETTINGS.withWaterMarks(new WaterMarks(0, OVERHEAD));
    int[] changes = new int[2];
    OutboundBuffer eager =
        new OutboundBuffer(
            settings,
            (buffer, writable) -> {
              changes[writable ? 1 : 0]++;
              if (writable && changes[1] < 3) {
                buffer.write(direct("again"));
                buffer.flush();
              }
            });
    eager.write(direct("first"));
    eager.flush();
    assertThat(eager.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("firstagainagain");
    assertThat(changes).containsExactly(3, 3);
  }

  @Test
  void aListenerOfWritabilityThatThrowsHarmsNothing() throws IOException {
    IllegalStateException thrown = new IllegalStateException("on purpose");
    OutboundBuffer buffer =
        new OutboundBuffer(
            SETTINGS.withWaterMarks(new WaterMarks(0, 0)),
            new OutboundListener() {
              @Override
              public void writabilityChanged(OutboundBuffer outbound, boolean writable) {
                throw thrown;
              }

              @Override
              public void failed(OutboundBuffer outbound, Throwable failure) {
                events.failed(outbound, failure);
                throw new IllegalStateException("this one too");
              }
            });
    assertThat(buffer.write(direct("a"), events.listener("a"))).isTrue();
    buffer.flush();
    buffer.writeTo(channel);
    assertThat(events.log).containsExactly("a written");
    assertThat(events.failures).containsExactly(thrown, thrown);
    assertThat(buffer.failures()).isEqualTo(4);
  }

  @Test
  void aClosedBufferIsNotWritableAndGetsNoEvents() {
    marked.write(direct("abcdefghijklmnopqrstuvwxyz".repeat(10)));
    marked.close(new IOException("gone"));
    assertThat(marked.isWritable()).isFalse();
    assertThat(marked.bytesBeforeUnwritable()).isZero();
    assertThat(events.log).containsExactly("not writable");
  }

  @Test
  void invertedMarksAreRefused() {
    assertThatThrownBy(() -> new WaterMarks(2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("high water mark: 1 (expected: >= the low water mark, 2)");
    assertThatThrownBy(() -> new WaterMarks(-1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("low water mark: -1 (expected: >= 0)");
    assertThat(new WaterMarks(0, 0).high()).isZero();
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> SETTINGS.withMaxBuffersPerWrite(1025))
        .hasMessage("maxBuffersPerWrite: 1025 (expected: 1 to 1024)");
    assertThatThrownBy(() -> SETTINGS.withMaxBuffersPerWrite(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SETTINGS.withMaxBytesPerWrite(0))
        .hasMessage("maxBytesPerWrite: 0 (expected: >= 1)");
    assertThatThrownBy(() -> SETTINGS.withMaxWrites(0)).hasMessage("maxWrites: 0 (expected: >= 1)");
  }
}
