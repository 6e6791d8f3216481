/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * A host that is gone, and whose last state is kept.
 *
 * @param host who it was
 * @param state how it ended
 * @param heartbeatMillis when it was last alive, milliseconds since the epoch
 * @param foundMillis when it was found dead, milliseconds since the epoch
 * @param bytes what is kept of it
 */
public record PostMortem(
    HostIdentity host, HostView.State state, long heartbeatMillis, long foundMillis, long bytes) {}
