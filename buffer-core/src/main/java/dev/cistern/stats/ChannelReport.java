/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import java.util.List;

/**
 * The channels of a copy of Netty, and the bytes that wait in them. An immutable copy. The bytes
 * are those that an application has written and the transport has not sent; channels may share the
 * memory of a message, so that the bytes can exceed the memory in use.
 *
 * @param channels number of open channels that are known
 * @param unwritable number of these that are not writable
 * @param pendingBytes bytes that wait in all of them
 * @param largestBytes bytes that wait in the channel with the most
 * @param notWatched number of registrations since start that found no place
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

  /** Report of a copy whose channels are not watched. */
  public static final ChannelReport NONE =
      new ChannelReport(0, 0, 0, 0, 0, Streams.NONE, List.of(), List.of());

  /** Copies the lists. */
  public ChannelReport {
    largest = List.copyOf(largest);
    shapes = List.copyOf(shapes);
  }

  /**
   * HTTP/2 streams of several channels.
   *
   * @param connections number of channels with HTTP/2
   * @param active number of open streams
   * @param opened number of streams that were opened on these channels since their start
   * @param failed number of gRPC's calls on these channels that ended without success, such as
   *     cancelled ones; {@link #UNKNOWN} if a channel has HTTP/2 without gRPC
   * @param pendingBytes bytes that wait for the flow control of a stream or a connection; part of
   *     {@link ChannelReport#pendingBytes}
   * @param unreadBytes received bytes of open streams that the application has not consumed; {@link
   *     #UNKNOWN} if that is not known of a channel
   */
  public record Streams(
      long connections,
      long active,
      long opened,
      long failed,
      long pendingBytes,
      long unreadBytes) {
    /** Value of a figure that is not known. */
    public static final long UNKNOWN = -1;

    /** No channel has HTTP/2. */
    public static final Streams NONE = new Streams(0, 0, 0, UNKNOWN, 0, 0);
  }

  /**
   * The bytes that wait in one channel.
   *
   * @param id short name of the channel, as in Netty's log
   * @param remoteAddress address of the peer, as text; empty if it has none
   * @param handlers names of the handlers of its pipeline, from head to tail
   * @param pendingBytes bytes that wait
   * @param streams its HTTP/2 streams
   * @param oldestMillis time since a poll has last seen the channel without pending bytes: limit of
   *     the age of the oldest of them, in milliseconds
   * @param unwritableMillis time since when polls see the channel not writable, in milliseconds; 0
   *     if it is writable
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
   * @param waiting number of streams with such bytes; 0 if it is not known
   * @param largest id of the stream with the most; 0 if it is not known
   * @param largestBytes bytes that wait in that stream
   */
  public record StreamQueues(
      long active, long pendingBytes, long waiting, long largest, long largestBytes) {
    /** A channel without HTTP/2. */
    public static final StreamQueues NONE = new StreamQueues(0, 0, 0, 0, 0);
  }

  /**
   * The channels with pending bytes whose pipelines have the same handlers.
   *
   * @param handlers names of the handlers, from head to tail; {@link #OTHERS} for those beyond the
   *     limit
   * @param channels number of channels
   * @param pendingBytes bytes that wait in all of them
   * @param largestBytes bytes that wait in the channel with the most
   */
  public record Shape(String handlers, long channels, long pendingBytes, long largestBytes) {
    /** Name of the sum of further shapes. */
    public static final String OTHERS = "(others)";
  }
}
