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
 * @param type its class
 * @param createdBy the code that created it, as {@code com.acme.Server.start:42}; {@link #UNKNOWN}
 *     if that was before the agent saw it, {@link #NETTY} for instances in static fields of Netty
 * @param service {@link #SERVED}, {@link #OBSERVED} or {@link #BYPASSED}
 * @param sinceMillis when that began, or when the instance was seen if that was later
 * @param reason why not all of its buffers are served or observed; empty if they are
 */
public record AllocatorInfo(
    String name, String type, String createdBy, String service, long sinceMillis, String reason) {
  /** Cistern's pool allocates its buffers, all of them or the percentage of the mode. */
  public static final String SERVED = "served";

  /** Netty allocates its buffers, and they are sampled. */
  public static final String OBSERVED = "observed";

  /** Buffers of it are neither served nor observed. */
  public static final String BYPASSED = "bypassed";

  /** It was created before the agent saw constructors. */
  public static final String UNKNOWN = "unknown";

  /** A static initializer of Netty created it. */
  public static final String NETTY = "Netty";

  /** Returns it with a service of its class, which began at {@code since} or later. */
  public AllocatorInfo with(String other, long since, String why) {
    return new AllocatorInfo(name, type, createdBy, other, Math.max(sinceMillis, since), why);
  }

  /**
   * Returns it in words.
   *
   * @param since {@link #sinceMillis} in words, after a preposition
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
