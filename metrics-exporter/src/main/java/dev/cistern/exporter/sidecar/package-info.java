/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The sidecar: finds the stats files of a directory, serves the hosts that write them, and keeps
 * the files of hosts that end.
 *
 * <p>It only reads in that directory, except for the files of ended hosts: each is copied once to
 * the directory of post-mortems, and removed. If the settings permit commands, the sidecar also
 * writes the control files of hosts.
 */
@NullMarked
package dev.cistern.exporter.sidecar;

import org.jspecify.annotations.NullMarked;
