/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * A stack for reports: its frames as lines, and its site, the frame that a developer can act on.
 *
 * @param site the site, {@code class.method:line}, or {@link #UNKNOWN}
 * @param frames the frames, innermost first, {@code class.method(File.java:line)}, up to {@link
 *     #MAX_FRAMES}
 * @param folded number of the frames before the site: those of Netty, the JDK and Cistern, which
 *     are similar in all stacks; 0 if the site is none of the frames
 * @param cutFrames number of outer frames that were not kept
 */
public record CallStack(String site, List<String> frames, int folded, int cutFrames) {
  /** Maximum number of frames that are kept of a stack. The JVM records 1,024 by default. */
  public static final int MAX_FRAMES = 128;

  /** The site of a stack that was not captured, or has no frames. */
  public static final String UNKNOWN = "unknown";

  /** The stack of samples without a captured stack, whose number is counted separately. */
  public static final CallStack NONE = new CallStack(UNKNOWN, List.of(), 0, 0);

  /** Copies the frames. */
  public CallStack {
    frames = List.copyOf(frames);
  }
}
