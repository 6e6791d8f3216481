/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * A stack as it is shown: every frame as a line, and which of them somebody can act on.
 *
 * @param site the frame to look at, {@code class.method:line}, or {@link #UNKNOWN}
 * @param frames innermost first, {@code class.method(File.java:line)}, at most {@link #MAX_FRAMES}
 * @param folded how many of the frames stand before the site: Netty's, the JDK's and Cistern's,
 *     much alike in all stacks; 0 where the site is none of the frames
 * @param cutFrames outer frames that were not kept
 */
public record CallStack(String site, List<String> frames, int folded, int cutFrames) {
  /** Frames that are kept of a stack; the virtual machine itself notes 1,024 by default. */
  public static final int MAX_FRAMES = 128;

  /** The site of a stack that was not taken, or has no frames. */
  public static final String UNKNOWN = "unknown";

  /** Stands where no stack was taken; what is missing is counted by whoever did not take it. */
  public static final CallStack NONE = new CallStack(UNKNOWN, List.of(), 0, 0);

  /** Copies the frames. */
  public CallStack {
    frames = List.copyOf(frames);
  }
}
