/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Code that all hosts share: their start, their end and their responses. It does not depend on
 * Netty or Cistern.
 */
@NullMarked
package example.hosts.common;

import org.jspecify.annotations.NullMarked;
