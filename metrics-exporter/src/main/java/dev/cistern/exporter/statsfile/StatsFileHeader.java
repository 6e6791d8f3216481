/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;

/**
 * Header of a stats file: its first page.
 *
 * @param formatVersion version of the format
 * @param identity whose file it is
 * @param heartbeatMillis when the host was last alive, milliseconds since the epoch
 * @param intervalMillis how often it means to write
 * @param exitedCleanly whether it ended as it should
 * @param isLocked whether the host holds a lock on the file for as long as it lives; it does not
 *     where the file system has none
 * @param isCopy whether this is not the host's own file, but a copy that was made of it
 * @param diedMillis of a copy: when the host was found dead, milliseconds since the epoch; else 0
 * @param failures times that a report could not be written
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
