/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import org.jspecify.annotations.Nullable;

/**
 * Functions of a sidecar besides its hosts.
 *
 * @param postMortems post-mortems of hosts that have ended
 * @param control passes commands to hosts; null if the settings do not permit commands
 */
public record SidecarSource(PostMortems postMortems, @Nullable SidecarControl control) {}
