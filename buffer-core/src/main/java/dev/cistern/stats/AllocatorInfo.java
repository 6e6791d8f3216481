/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * An allocator of a copy of Netty: an instance, or a class of another library of which no instance
 * was seen.
 *
 * @param name a name that no other allocator of the copy has, such as {@code
 *     PooledByteBufAllocator.DEFAULT} for the instance in a static field of Netty, or {@code
 *     PooledByteBufAllocator-3} for the third instance that was seen
 * @param type the class of the allocator
 * @param createdBy the code that created it, as {@code com.acme.Server.start:42}; {@link #UNKNOWN}
 *     if that was before the agent saw it, {@link #NETTY} for instances in static fields of Netty
 * @param service {@link #SERVED}, {@link #OBSERVED} or {@link #BYPASSED}
 * @param sinceMillis the time at which that service began, or at which the instance was seen if
 *     that was later, in milliseconds since 1970
 * @param reason the reason if not all of its buffers are served or observed, otherwise empty
 */
public record AllocatorInfo(
    String name, String type, String createdBy, String service, long sinceMillis, String reason) {
  /**
   * Service of an allocator whose buffers Cistern's pool allocates: all of them, or the percentage
   * of the mode.
   */
  public static final String SERVED = "served";

  /** Service of an allocator whose buffers Netty allocates and Cistern samples. */
  public static final String OBSERVED = "observed";

  /** Service of an allocator whose buffers are neither served nor observed. */
  public static final String BYPASSED = "bypassed";

  /** Creator of an allocator that was created before the agent saw constructors. */
  public static final String UNKNOWN = "unknown";

  /** Creator of an allocator that a static initializer of Netty created. */
  public static final String NETTY = "Netty";

  /**
   * Returns a copy with a service of its class, which began at {@code since}, or when the instance
   * was seen if that was later.
   */
  public AllocatorInfo with(String other, long since, String why) {
    return new AllocatorInfo(name, type, createdBy, other, Math.max(sinceMillis, since), why);
  }

  /**
   * Returns a description as text.
   *
   * @param since {@link #sinceMillis} as text, with its preposition
   */
  public String describe(String since) {
    return name
        + ": "
        + service
        + ' '
        + since
        + ", created by "
        + createdBy
        + ", class "
        + type
        + (reason.isEmpty() ? "" : ", " + reason);
  }
}
