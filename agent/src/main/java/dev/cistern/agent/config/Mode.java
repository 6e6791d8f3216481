/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.Locale;

/**
 * The allocator of a copy of Netty.
 *
 * @param kind kind of allocator
 * @param percent share of allocations that Cistern's pool serves, 1 to 100; 100 if it serves none
 */
public record Mode(Kind kind, int percent) {
  /** A kind of allocator. */
  public enum Kind {
    /** Cistern's pool. */
    SWAP,
    /** Netty's own allocator, with metrics and sampled buffers. */
    OBSERVE,
    /** Netty's own allocator, without metrics. */
    OFF;

    /** Returns the name in settings and metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Cistern's pool serves all allocations. */
  public static final Mode SWAP = new Mode(Kind.SWAP, 100);

  /** Netty's own allocator serves, with metrics. */
  public static final Mode OBSERVE = new Mode(Kind.OBSERVE, 100);

  /** Netty's own allocator serves. */
  public static final Mode OFF = new Mode(Kind.OFF, 100);

  /**
   * Returns the mode with a name.
   *
   * @param name {@code swap}, {@code observe} or {@code off}
   * @param percent for {@code swap}, 1 to 100; ignored for the other modes
   * @throws BadSettingException if the name is unknown or the percentage is out of range
   */
  public static Mode of(String name, int percent) throws BadSettingException {
    Setting.MODE.check("mode", name);
    Setting.PERCENT.check("percent", String.valueOf(percent));
    return ofChecked(name, percent);
  }

  static Mode ofChecked(String name, int percent) {
    return switch (name) {
      case "swap" -> new Mode(Kind.SWAP, percent);
      case "observe" -> OBSERVE;
      default -> OFF;
    };
  }

  /** Returns its rank in the order: off, observe, swap 1 % to swap 100 %. */
  public int rank() {
    return switch (kind) {
      case OFF -> 0;
      case OBSERVE -> 1;
      case SWAP -> 1 + percent;
    };
  }

  /** Returns whether Cistern's pool serves all or a part of the allocations. */
  public boolean swaps() {
    return kind == Kind.SWAP;
  }

  /** Returns whether Netty's allocations are sampled, also those that a percentage leaves to it. */
  public boolean observes() {
    return kind == Kind.OBSERVE || (kind == Kind.SWAP && percent < 100);
  }

  /** Returns the mode to try if this one fails. */
  public Mode fallback() {
    return kind == Kind.SWAP ? OBSERVE : OFF;
  }

  /**
   * Does the same as a record's generated method, whose first call would load a hundred classes.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof Mode mode && mode.kind == kind && mode.percent == percent;
  }

  @Override
  public int hashCode() {
    return 101 * kind.ordinal() + percent;
  }

  /** Returns {@code swap}, {@code swap 25 %}, {@code observe} or {@code off}. */
  @Override
  public String toString() {
    return percent == 100 ? kind.label() : kind.label() + ' ' + percent + " %";
  }
}
