/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Reads YAML files of settings without quoting them in messages. For Cistern's modules only. */
@NullMarked
package dev.cistern.exporter.yaml;

import org.jspecify.annotations.NullMarked;
