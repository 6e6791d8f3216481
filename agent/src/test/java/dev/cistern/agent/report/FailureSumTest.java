/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureSumTest {
  private final FailureSum failures = new FailureSum();
  private final Object first = new Object();
  private final Object second = new Object();

  @Test
  void failuresOfACollectedCopyStayInTheSum() {
    failures.update(first, 3);
    failures.update(second, 2);
    assertThat(failures.sum()).isEqualTo(5);
    failures.update(second, 4); // the first copy was collected
    assertThat(failures.sum()).isEqualTo(7);
  }

  @Test
  void aCopyThatCannotReportChangesNoSumAndIsNotCountedTwice() {
    failures.update(first, 3);
    failures.update(first, 0);
    failures.update(first, 3);
    assertThat(failures.sum()).isEqualTo(3);
  }
}
