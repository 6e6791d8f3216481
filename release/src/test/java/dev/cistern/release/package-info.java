/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * Tests of the release archive, its content and its commands, and of the published artifacts.
 *
 * <ul>
 *   <li><b>checkout:</b> the project's source directory
 *   <li><b>staged:</b> deployed to a directory instead of Maven Central
 *   <li><b>unpacked:</b> the directory that {@code tar} made of the archive
 * </ul>
 */
@NullMarked
package dev.cistern.release;

import org.jspecify.annotations.NullMarked;
