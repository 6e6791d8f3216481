/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import java.util.List;

/**
 * An immutable report of the channels of a Netty copy, and of the bytes that wait in them. These
 * are the bytes that an application has written and the transport has not sent. Channels may share
 * the memory of a message, so the bytes can exceed the memory in use.
 *
 * @param channels number of open channels that are known
 * @param unwritable number of these that are not writable
 * @param pendingBytes bytes that wait in all of them
 * @param largestBytes bytes that wait in the channel with the most
 * @param notWatched number of registrations of channels since start for which there was no room
 * @param streams the HTTP/2 streams of all channels
 * @param largest the channels with the most pending bytes, the largest first
 * @param shapes sums of the channels with pending bytes by their handlers, the largest first
 */
public record ChannelReport(
    long channels,
    long unwritable,
    long pendingBytes,
    long largestBytes,
    long notWatched,
    Streams streams,
    List<Queue> largest,
    List<Shape> shapes) {
  /** Limit of {@link #largest}. */
  public static final int MAX_LARGEST = 20;

  /** Limit of {@link #shapes}. */
  public static final int MAX_SHAPES = 16;

  /** The report of a copy whose channels are not watched. */
  public static final ChannelReport NONE =
      new ChannelReport(0, 0, 0, 0, 0, Streams.NONE, List.of(), List.of());

  /** Copies the lists. */
  public ChannelReport {
    largest = List.copyOf(largest);
    shapes = List.copyOf(shapes);
  }

  /**
   * The HTTP/2 streams of several channels.
   *
   * @param connections number of channels with HTTP/2
   * @param active number of open streams
   * @param opened number of streams that were opened on these channels since their start
   * @param failed number of gRPC calls on these channels that ended without success, such as
   *     cancelled ones; {@link #UNKNOWN} if a channel has HTTP/2 without gRPC
   * @param pendingBytes bytes that wait for the flow control of a stream or a connection; part of
   *     {@link ChannelReport#pendingBytes}
   * @param unreadBytes received bytes of open streams that the application has not consumed; {@link
   *     #UNKNOWN} if that is unknown for a channel
   */
  public record Streams(
      long connections,
      long active,
      long opened,
      long failed,
      long pendingBytes,
      long unreadBytes) {
    /** The value of an unknown number. */
    public static final long UNKNOWN = -1;

    /** The streams if no channel has HTTP/2. */
    public static final Streams NONE = new Streams(0, 0, 0, UNKNOWN, 0, 0);
  }

  /**
   * The bytes that wait in one channel.
   *
   * @param id short id of the channel, as in Netty's log
   * @param remoteAddress address of the peer, as text; empty if it has none
   * @param handlers names of the handlers of its pipeline, from head to tail
   * @param pendingBytes bytes that wait
   * @param streams the HTTP/2 streams of the channel
   * @param oldestMillis time since a poll last found the channel without pending bytes, in
   *     milliseconds; the oldest pending bytes are not older
   * @param unwritableMillis time since polls find the channel not writable, in milliseconds; 0 if
   *     it is writable
   */
  public record Queue(
      String id,
      String remoteAddress,
      String handlers,
      long pendingBytes,
      StreamQueues streams,
      long oldestMillis,
      long unwritableMillis) {}

  /**
   * The bytes that wait for the flow control of one HTTP/2 connection.
   *
   * @param active number of open streams
   * @param pendingBytes bytes that wait; part of {@link Queue#pendingBytes}
   * @param waiting number of streams with such bytes; 0 if unknown
   * @param largest id of the stream with the most such bytes; 0 if unknown
   * @param largestBytes bytes that wait in that stream
   */
  public record StreamQueues(
      long active, long pendingBytes, long waiting, long largest, long largestBytes) {
    /** The queues of a channel without HTTP/2. */
    public static final StreamQueues NONE = new StreamQueues(0, 0, 0, 0, 0);
  }

  /**
   * The channels with pending bytes whose pipelines have the same handlers.
   *
   * @param handlers names of the handlers, from head to tail; {@link #OTHERS} for the sum of
   *     further shapes
   * @param channels number of channels
   * @param pendingBytes bytes that wait in all of them
   * @param largestBytes bytes that wait in the channel with the most
   */
  public record Shape(String handlers, long channels, long pendingBytes, long largestBytes) {
    /** The name of the sum of further shapes. */
    public static final String OTHERS = "(others)";
  }
}
