/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("I4")
@Tag("I5")
final class SeedTableTest {
  @Test
  void showsOurResultsInTheUnitOfTheSeed() {
    Measured one = new Measured(only("I4/get"));
    one.add(Variant.LIBRARY, 80);
    one.add(Variant.NETTY, 100);
    one.add(Variant.JDK, 200);

    assertThat(SeedTable.of(List.of(one)))
        .contains("## Beside the seeds", "other machines")
        .endsWith(
            "\n| I4/get | fastThreadLocal, against jdkThreadLocalGet | 35.5 k | 55.5 k | 1.56"
                + " | 12.5 M | 10.0 M | 5.00 M | ops/s | 1.25 | 2.50 |\n");
  }

  @Test
  void leavesATimeATime() {
    Measured one = new Measured(only("I5/contended/delay-1"));
    one.add(Variant.LIBRARY, 50);
    one.add(Variant.NETTY, 75);

    assertThat(SeedTable.of(List.of(one)))
        .endsWith(
            "\n| I5/contended/delay-1 | retainRelease_contended 1 | 805 | 383 | 2.10"
                + " | 50.0 | 75.0 |  | ns/op | 1.50 |  |\n");
  }

  @Test
  void isEmptyWithoutAResultOfASeed() {
    Measured one = new Measured(only("I9/slice/direct"));
    one.add(Variant.LIBRARY, 50);
    assertThat(SeedTable.of(List.of(one))).isEmpty();
    assertThat(SeedTable.of(List.of())).isEmpty();
  }

  @Test
  void saysThatNothingWasMeasured() {
    Measured one = new Measured(only("I5/alone/delay-1"));
    one.add(Variant.LIBRARY);
    one.add(Variant.NETTY, 75);
    assertThat(SeedTable.of(List.of(one))).endsWith("| - | 75.0 |  | ns/op | - |  |\n");
  }

  @Test
  void writesThreeDigitsThatCount() {
    assertThat(SeedFigure.number(204_158_855)).isEqualTo("204 M");
    assertThat(SeedFigure.number(999_600)).isEqualTo("1.00 M");
    assertThat(SeedFigure.number(38_660)).isEqualTo("38.7 k");
    assertThat(SeedFigure.number(4358)).isEqualTo("4358");
    assertThat(SeedFigure.number(52.27)).isEqualTo("52.3");
    assertThat(SeedFigure.number(2.5)).isEqualTo("2.50");
    assertThat(SeedFigure.Unit.OPERATIONS_PER_MILLISECOND.of(250)).isCloseTo(4000, within(1e-9));
  }

  private static Case only(String id) {
    return SeedCases.all().stream().filter(one -> one.id.equals(id)).findFirst().orElseThrow();
  }
}
