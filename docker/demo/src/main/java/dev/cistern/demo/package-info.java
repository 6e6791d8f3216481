/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An ordinary Netty HTTP server, built from the published artifacts. */
@NullMarked
package dev.cistern.demo;

import org.jspecify.annotations.NullMarked;
