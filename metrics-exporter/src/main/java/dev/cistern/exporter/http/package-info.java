/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The HTTP endpoint: connections, requests, who may use a page, and limits. It knows no page. */
@NullMarked
package dev.cistern.exporter.http;

import org.jspecify.annotations.NullMarked;
