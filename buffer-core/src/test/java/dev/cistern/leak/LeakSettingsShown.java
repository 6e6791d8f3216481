/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/** Program that prints the settings of a separate JVM. */
final class LeakSettingsShown {
  private LeakSettingsShown() {}

  public static void main(String[] arguments) {
    show("leakDetection.level", LeakSettings.level());
    show("leakDetection.samplingInterval", LeakSettings.SAMPLING_INTERVAL);
    show("leakDetection.targetRecords", LeakSettings.RECORDS);
    show("leakDetection.maxWatched", LeakSettings.MAX_WATCHED);
    show("leakDetection.quarantineBytes", LeakSettings.QUARANTINE_BYTES);
    show("leakDetection.acquireAndReleaseOnly", LeakSettings.recordingLevel());
    show("sampleIntervalBytes", LeakSettings.INTERVAL_BYTES);
  }

  private static void show(String key, Object value) {
    System.out.println(key + " is " + value);
  }
}
