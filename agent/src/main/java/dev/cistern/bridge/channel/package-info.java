/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The view of a copy's channels. None of its classes is loaded for a copy without Netty's
 * transport.
 */
@NullMarked
package dev.cistern.bridge.channel;

import org.jspecify.annotations.NullMarked;
