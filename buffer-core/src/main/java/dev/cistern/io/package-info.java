/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Floor 5: buffers at the socket, for any channel.
 *
 * <ul>
 *   <li><b>message</b>: a buffer, or a holder of one, that is to be written as a whole.
 *   <li><b>pending</b>: written to an outbound buffer, and not taken by the channel yet.
 *   <li><b>flushed</b>: pending, and to be offered to the channel.
 *   <li><b>gathering write</b>: one call that offers the bytes of many messages.
 *   <li><b>water marks</b>: above the high one a buffer is not writable, until it is at the low
 *       one.
 *   <li><b>size</b> of a read: the bytes that its buffer has room for.
 * </ul>
 */
@NullMarked
package dev.cistern.io;

import org.jspecify.annotations.NullMarked;
