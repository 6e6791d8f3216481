/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.TestLength;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verdicts of all faults meet the published bars. */
@Tag("alone")
class LongScenariosIT {
  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void theBarsAreMet() throws Exception {
    assumeTrue(TestLength.isLong(), "takes an hour: -Plong");
    List<RunResult> results =
        new RunScenarios(RunScenarios.builtAgent(), 6, 0).run(Scenarios.allFaults(), false);
    ConfusionReport report = new ConfusionReport(results);
    System.out.println(report.markdown());
    assertThat(report.missed()).isEmpty();
  }
}
