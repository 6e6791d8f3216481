/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * A small server on Cistern's library alone, over plain NIO: HTTP with the target {@code
 * /plaintext}, and echo. It is an example for authors of libraries and servers on {@code
 * dev.cistern.buffer} and {@code dev.cistern.io}.
 *
 * <ul>
 *   <li><b>acceptor</b>: a thread that accepts connections and distributes them over the loops.
 *   <li><b>loop</b>: a thread with a selector. A connection stays with its loop. It therefore needs
 *       no locks, and its buffers use the cache of one thread.
 *   <li><b>rest</b>: received bytes of a request that is not complete or has to wait. An idle
 *       connection has no rest, nor any other buffer.
 *   <li><b>sink</b>: the receiver of responses. While it is not writable, the server neither
 *       responds nor reads.
 * </ul>
 *
 * <p>{@link example.server.Connection} shows the order of the calls: receive sizing, pooled buffer,
 * outbound buffer. The HTTP code ({@link example.server.HttpSession} and its helpers) does not use
 * sockets. The same sources are compiled a second time against Netty, for a comparison.
 */
@NullMarked
package example.server;

import org.jspecify.annotations.NullMarked;
