/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A Spring Boot application that uses the library itself. */
@NullMarked
package example.hosts.boot;

import org.jspecify.annotations.NullMarked;
