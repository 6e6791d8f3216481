/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

/** Whether this runtime has JMX at all. */
final class JmxModule {
  private static final String MANAGEMENT = "java.management";

  private JmxModule() {}

  static boolean isPresent() {
    return ModuleLayer.boot().findModule(MANAGEMENT).isPresent();
  }
}
