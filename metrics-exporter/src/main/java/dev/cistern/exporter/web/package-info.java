/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The Prometheus web configuration file: TLS, client certificates, basic authentication, rate limit
 * and headers of the exporter's endpoint. Without such a file, none of these classes is loaded.
 */
@NullMarked
package dev.cistern.exporter.web;

import org.jspecify.annotations.NullMarked;
