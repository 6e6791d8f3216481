/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * An estimate of the live buffers of one site that one holder has. The holder is the object that
 * the buffer was last passed to: the hint of the last call of {@code touch}.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line} of the allocation, {@link CallStack#UNKNOWN}, or {@link
 *     #OTHERS} for the sum of sites beyond the limit
 * @param place kind of the holder
 * @param holder class of a handler, or text of another hint; empty if {@code place} is {@link
 *     Place#NONE}
 * @param buffers estimated number of buffers
 * @param bytes estimated bytes
 * @param oldBytes the part of these that is ten seconds old or older
 * @param lostBytes the part whose buffers were garbage collected without a release
 * @param oldestMillis time of the oldest allocation, in milliseconds since the epoch
 */
public record HeldSite(
    String memory,
    String site,
    Place place,
    String holder,
    double buffers,
    double bytes,
    double oldBytes,
    double lostBytes,
    long oldestMillis) {
  /** The name of the sum of further sites and holders. */
  public static final String OTHERS = "(others)";

  /** Kinds of holders. */
  public enum Place {
    /** The bytes of an incomplete message, in the decoder that joins them. */
    CUMULATION("cumulation"),
    /** The parts of an incomplete message, in a handler that joins them. */
    AGGREGATOR("aggregator"),
    /** The handler of an HTTP/2 connection, which passes frames to streams or calls. */
    HTTP2("HTTP/2 connection"),
    /** The outbound queue of a channel. */
    OUTBOUND("outbound queue"),
    /** Another handler of Netty or of a framework. */
    HANDLER("handler"),
    /** A hint of the application. */
    HINT("hint"),
    /** No hint: the buffer was not passed on since its allocation. */
    NONE("not passed on");

    private final String label;

    Place(String label) {
      this.label = label;
    }

    /** Returns the name of this kind in texts. */
    public String label() {
      return label;
    }
  }
}
