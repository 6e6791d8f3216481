/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The HTTP endpoint: connections, requests, permissions and limits. It does not depend on the
 * pages.
 */
@NullMarked
package dev.cistern.exporter.http;

import org.jspecify.annotations.NullMarked;
