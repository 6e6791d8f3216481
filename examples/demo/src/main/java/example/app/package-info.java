/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * An ordinary Netty HTTP server without any import, setting or dependency of Cistern.
 *
 * <p>It is built once, against Netty 4.1, and runs unchanged on 4.1 and 4.2. It is outside the
 * {@code dev.cistern} packages, like any application. The site of a leak is the first frame that
 * does not belong to Netty, the JDK or Cistern; here, that frame belongs to this package.
 *
 * <ul>
 *   <li><b>endpoint</b>: one path and its response.
 *   <li><b>content</b>: the deterministic bytes that a client can compute and compare.
 *   <li><b>ready line</b>: the line on standard output that names the ports.
 * </ul>
 */
@NullMarked
package example.app;

import org.jspecify.annotations.NullMarked;
