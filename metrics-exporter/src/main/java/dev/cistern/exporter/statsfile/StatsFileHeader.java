/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;

/**
 * Header of a stats file: its first page.
 *
 * @param formatVersion version of the format
 * @param identity identity of the host
 * @param heartbeatMillis time of the last heartbeat, in milliseconds since the epoch
 * @param intervalMillis configured interval of the reports
 * @param exitedCleanly whether the host has shut down in an orderly way
 * @param isLocked whether the host holds a lock on the file while it runs; false if the file system
 *     has no locks
 * @param isCopy whether this is a copy of the host's file
 * @param diedMillis in a copy, time at which the end of the host was detected, in milliseconds
 *     since the epoch; otherwise 0
 * @param failures number of reports that could not be written
 * @param fileBytes size of the file
 */
public record StatsFileHeader(
    int formatVersion,
    HostIdentity identity,
    long heartbeatMillis,
    long intervalMillis,
    boolean exitedCleanly,
    boolean isLocked,
    boolean isCopy,
    long diedMillis,
    long failures,
    long fileBytes) {}
