/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A Spring Boot application. */
@NullMarked
package example.hosts.webflux;

import org.jspecify.annotations.NullMarked;
