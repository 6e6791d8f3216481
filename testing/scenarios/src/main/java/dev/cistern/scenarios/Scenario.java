/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.util.List;

/**
 * A workload with the finding that it must lead to.
 *
 * @param name a file name
 * @param workload name of the workload
 * @param arguments {@code key=value} arguments of the workload
 * @param jvmOptions options of its JVM
 * @param expected the expected kind, then kinds that are right too; empty for a healthy workload
 * @param deadlineSeconds limit for the finding from READY, or from IDLE for a retention
 * @param mode the agent's mode, observe or swap
 * @param netty Netty's line, 4.1 or 4.2; grpc for gRPC on Netty 4.2, grpc-shaded for gRPC on its
 *     own Netty beside it
 * @param jdk version of the JDK, 17 or 25
 * @param isShort whether the default build or the full build runs it
 * @param isExample whether its verdict is the example of its kind in the documentation
 */
public record Scenario(
    String name,
    String workload,
    List<String> arguments,
    List<String> jvmOptions,
    List<String> expected,
    int deadlineSeconds,
    String mode,
    String netty,
    int jdk,
    boolean isShort,
    boolean isExample) {

  /** Returns whether the workload has no fault. */
  public boolean isHealthy() {
    return expected.isEmpty();
  }

  /** Returns the kind of the fault, or {@code healthy}. */
  public String kind() {
    return isHealthy() ? "healthy" : expected.get(0);
  }

  /** Returns whether the time counts from the end of a burst. */
  public boolean countsFromIdle() {
    return kind().equals("retention");
  }

  Scenario jvm(String... options) {
    return copy(name, List.of(options), expected, mode, jdk, isShort, isExample);
  }

  Scenario or(String alternative) {
    return copy(name, jvmOptions, List.of(kind(), alternative), mode, jdk, isShort, isExample);
  }

  Scenario onJdk(int version) {
    return copy(name, jvmOptions, expected, mode, version, isShort, isExample);
  }

  Scenario inShort() {
    return copy(name, jvmOptions, expected, mode, jdk, true, isExample);
  }

  Scenario asExample() {
    return copy(name, jvmOptions, expected, mode, jdk, isShort, true);
  }

  /** Returns the same workload under another name, in another mode and on another JDK. */
  Scenario as(String newName, String newMode, int newJdk) {
    return copy(newName, jvmOptions, expected, newMode, newJdk, false, false);
  }

  private Scenario copy(
      String name,
      List<String> jvmOptions,
      List<String> expected,
      String mode,
      int jdk,
      boolean isShort,
      boolean isExample) {
    return new Scenario(
        name,
        workload,
        arguments,
        jvmOptions,
        expected,
        deadlineSeconds,
        mode,
        netty,
        jdk,
        isShort,
        isExample);
  }
}
