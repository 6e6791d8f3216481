/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * What a {@link LeakDetector} knows of leaks at one moment: an immutable copy.
 *
 * @param level the level in force: {@code disabled}, {@code simple}, {@code advanced} or {@code
 *     paranoid}
 * @param entries leaks by allocation stack, in the order in which their stacks were first seen
 * @param dropped watched leaks that found no place in the store
 * @param droppedBytes estimate of the bytes of the leaks that found no place
 * @param watched buffers that are watched now: allocated, not yet released
 * @param notWatched samples that were not watched because too many were already
 * @param withoutStack samples whose stack could not be kept, because too many were waiting
 * @param failures times that watching failed, inside or in a hint of others
 */
public record LeakReport(
    String level,
    List<LeakEntry> entries,
    long dropped,
    long droppedBytes,
    long watched,
    long notWatched,
    long withoutStack,
    long failures) {
  /** Nothing was seen. */
  public static final LeakReport EMPTY = new LeakReport("disabled", List.of(), 0, 0, 0, 0, 0, 0);

  private static final int VERSION = 2;

  /** Copies the entries. */
  public LeakReport {
    entries = List.copyOf(entries);
  }

  /** Returns this report as bytes, for a reader in another class loader. */
  public byte[] encode() {
    return Wire.encode(VERSION, this, LeakReport::write);
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static LeakReport decode(byte[] encoded) {
    return Wire.decode(VERSION, encoded, LeakReport::read);
  }

  private void write(DataOutputStream out) throws IOException {
    Wire.text(out, level);
    Wire.list(out, entries, LeakEntry::write);
    out.writeLong(dropped);
    out.writeLong(droppedBytes);
    out.writeLong(watched);
    out.writeLong(notWatched);
    out.writeLong(withoutStack);
    out.writeLong(failures);
  }

  private static LeakReport read(DataInputStream in) throws IOException {
    return new LeakReport(
        Wire.text(in),
        Wire.list(in, LeakEntry::read),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }
}
