/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * A host that has ended, and whose last state is kept.
 *
 * @param host identity of the host
 * @param state how the host ended
 * @param heartbeatMillis time of the last heartbeat, in milliseconds since the epoch
 * @param foundMillis when the end was detected, in milliseconds since the epoch
 * @param bytes size of the kept state
 */
public record PostMortem(
    HostIdentity host, HostView.State state, long heartbeatMillis, long foundMillis, long bytes) {}
