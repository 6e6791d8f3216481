/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * What the hosts share: how they begin and end, and what they answer. Nothing here knows of Netty
 * or of Cistern.
 */
@NullMarked
package example.hosts.common;

import org.jspecify.annotations.NullMarked;
