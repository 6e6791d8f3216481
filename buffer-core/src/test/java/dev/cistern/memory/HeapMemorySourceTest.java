/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the arrays of a source, which are uninitialized on request. */
@Tag("A12")
class HeapMemorySourceTest {
  private static final String OPENED = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

  /**
   * Program that allocates, fills and frees arrays, and prints whether one ever contained old
   * bytes.
   */
  public static final class Dirty {
    private static final int ARRAYS = 20_000;
    private static final int BYTES = 64 << 10;

    private Dirty() {}

    public static void main(String[] arguments) {
      HeapMemorySource source = new HeapMemorySource();
      int dirty = 0;
      for (int i = 0; i < ARRAYS; i++) {
        Region region = source.allocate(BYTES);
        byte[] array = region.array();
        if (array == null || array.length != BYTES) {
          throw new AssertionError("an array of another length");
        }
        dirty += array[BYTES / 2] == 0 ? 0 : 1;
        Arrays.fill(array, (byte) 1);
        source.free(region);
      }
      System.out.print((HeapMemorySource.Uninitialized.ALLOCATE != null) + " " + (dirty > 0));
    }
  }

  private static final String REQUESTED = "-Dcistern.memory.uninitializedArrays=true";

  @Test
  void arraysAreNotZeroedIfRequestedAndPermitted() throws IOException, InterruptedException {
    assertThat(OwnJvm.of(Dirty.class).with(OPENED, REQUESTED).lastLine()).isEqualTo("true true");
  }

  @Test
  void arraysAreZeroedByDefault() throws IOException, InterruptedException {
    assertThat(OwnJvm.of(Dirty.class).with(OPENED).lastLine()).isEqualTo("true false");
    assertThat(OwnJvm.of(Dirty.class).with(REQUESTED).lastLine()).isEqualTo("false false");
  }

  @Test
  void arraysHaveTheRequestedLength() {
    for (int bytes : new int[] {0, 1, 1023, 1024, 100_000}) {
      assertThat(HeapMemorySource.newUninitialized(bytes)).hasSize(bytes);
    }
  }
}
