/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.Locale;

/**
 * Who serves the allocations of a copy of Netty.
 *
 * @param kind whose allocator
 * @param percent how many of a hundred allocations are served by our pool, 1 to 100; 100 where our
 *     pool does not serve
 */
public record Mode(Kind kind, int percent) {
  /** Whose allocator serves. */
  public enum Kind {
    /** Our pool. */
    SWAP,
    /** Netty's own, whose figures are shown and whose buffers are sampled. */
    OBSERVE,
    /** Netty's own; nothing is shown. */
    OFF;

    /** As settings and metrics call it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All allocations are served by our pool. */
  public static final Mode SWAP = new Mode(Kind.SWAP, 100);

  /** Netty serves, and is watched. */
  public static final Mode OBSERVE = new Mode(Kind.OBSERVE, 100);

  /** Netty serves. */
  public static final Mode OFF = new Mode(Kind.OFF, 100);

  /**
   * Reads a mode.
   *
   * @param name {@code swap}, {@code observe} or {@code off}
   * @param percent for {@code swap}, 1 to 100; without meaning for the others
   * @throws BadSettingException if it is none
   */
  public static Mode of(String name, int percent) throws BadSettingException {
    if (percent < 1 || percent > 100) {
      throw new BadSettingException(
          "percent = '" + percent + "' is malformed; allowed: " + Form.PERCENT.allowed());
    }
    return switch (name) {
      case "swap" -> new Mode(Kind.SWAP, percent);
      case "observe" -> OBSERVE;
      case "off" -> OFF;
      default ->
          throw new BadSettingException(
              "mode = '" + name + "' is unknown; allowed: " + Form.MODE.allowed());
    };
  }

  /** Whether our pool serves, all or a part. */
  public boolean swaps() {
    return kind == Kind.SWAP;
  }

  /** Whether allocations of Netty's own are watched: also those that a percentage leaves to it. */
  public boolean observes() {
    return kind == Kind.OBSERVE || (kind == Kind.SWAP && percent < 100);
  }

  /** What is tried when this cannot be. */
  public Mode fallback() {
    return kind == Kind.SWAP ? OBSERVE : OFF;
  }

  /** As a record has it, whose own would make a hundred classes at the first call. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Mode mode && mode.kind == kind && mode.percent == percent;
  }

  @Override
  public int hashCode() {
    return 101 * kind.ordinal() + percent;
  }

  /** As a person reads it: {@code swap}, {@code swap 25 %}, {@code observe}, {@code off}. */
  @Override
  public String toString() {
    return percent == 100 ? kind.label() : kind.label() + ' ' + percent + " %";
  }
}
