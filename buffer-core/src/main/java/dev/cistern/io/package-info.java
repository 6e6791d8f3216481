/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Layer 5: buffers for reads from and writes to any channel.
 *
 * <ul>
 *   <li><b>message</b>: a buffer or a holder of one, which is written as a whole.
 *   <li><b>pending</b>: written to an outbound buffer, and not yet taken by the channel.
 *   <li><b>flushed</b>: pending, and ready to be offered to the channel.
 *   <li><b>gathering write</b>: one call that offers the bytes of many messages.
 *   <li><b>water marks</b>: an outbound buffer above the high mark is not writable until it is at
 *       the low mark.
 *   <li><b>size</b> of a read: the bytes that its buffer has room for.
 * </ul>
 */
@NullMarked
package dev.cistern.io;

import org.jspecify.annotations.NullMarked;
