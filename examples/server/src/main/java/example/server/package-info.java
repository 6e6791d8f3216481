/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * A small server on Cistern's library alone, over plain NIO: HTTP that answers {@code /plaintext},
 * and echo. It is here to be read by who writes a library or a server on {@code dev.cistern.buffer}
 * and {@code dev.cistern.io}.
 *
 * <ul>
 *   <li><b>acceptor</b>: a thread that takes connections and deals them out to the loops.
 *   <li><b>loop</b>: a thread with a selector. A connection stays with its loop, so nothing of a
 *       connection is locked, and its buffers come from and go to the cache of one thread.
 *   <li><b>rest</b>: bytes that came and cannot be answered yet. A connection that waits for its
 *       client has none, nor any other buffer.
 *   <li><b>sink</b>: where answers go; once it is not writable, no more is answered, nor read.
 * </ul>
 *
 * <p>{@link example.server.Connection} shows the order of the calls: receive sizing, pooled buffer,
 * outbound buffer. What knows HTTP ({@link example.server.HttpSession} and what it uses) knows no
 * socket; the same sources are built a second time against Netty, to be compared with.
 */
@NullMarked
package example.server;

import org.jspecify.annotations.NullMarked;
