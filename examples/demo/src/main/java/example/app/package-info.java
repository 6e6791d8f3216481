/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * An ordinary Netty HTTP server that knows nothing of Cistern: no import, no setting, no
 * dependency.
 *
 * <p>It is built once, against Netty 4.1, and runs unchanged on 4.1 and 4.2. It lives outside the
 * {@code dev.cistern} packages because that is where applications live: a leak's site is the first
 * frame that is neither Netty's, the JDK's nor Cistern's, and here that frame is this package's.
 *
 * <ul>
 *   <li><b>endpoint</b>: what one path answers.
 *   <li><b>content</b>: the deterministic bytes that a client can make again and compare.
 *   <li><b>ready line</b>: the one line on standard output that names the ports.
 * </ul>
 */
@NullMarked
package example.app;

import org.jspecify.annotations.NullMarked;
