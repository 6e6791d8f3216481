/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Tests of the release archive: its content, its commands, and that a build is reproducible.
 *
 * <ul>
 *   <li><b>checkout:</b> the project's source directory
 *   <li><b>unpacked:</b> the directory that {@code tar} made of the archive
 * </ul>
 */
@NullMarked
package dev.cistern.release;

import org.jspecify.annotations.NullMarked;
