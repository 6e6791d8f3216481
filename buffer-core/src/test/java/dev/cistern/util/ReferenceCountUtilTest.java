/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of reference counts of objects, which may have none. */
@Tag("B11")
class ReferenceCountUtilTest {
  private final Counted counted = new Counted();

  private static final class Counted extends AbstractReferenceCounted {
    private int touches;
    private @Nullable Object lastHint;
    private int deallocations;

    @Override
    public ReferenceCounted touch(@Nullable Object hint) {
      touches++;
      lastHint = hint;
      return this;
    }

    @Override
    protected void deallocate() {
      deallocations++;
    }
  }

  @Test
  void countsReferenceCountedObjects() {
    assertThat(ReferenceCountUtil.<Object>retain(counted)).isSameAs(counted);
    assertThat(ReferenceCountUtil.<Object>retain(counted, 3)).isSameAs(counted);
    assertThat(ReferenceCountUtil.refCnt(counted)).isEqualTo(5);
    assertThat(ReferenceCountUtil.release(counted, 4)).isFalse();
    assertThat(ReferenceCountUtil.release(counted)).isTrue();
    assertThat(counted.deallocations).isEqualTo(1);
    assertThatThrownBy(() -> ReferenceCountUtil.release(counted))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void passesTouchesOn() {
    assertThat(ReferenceCountUtil.<Object>touch(counted)).isSameAs(counted);
    assertThat(ReferenceCountUtil.<Object>touch(counted, "hint")).isSameAs(counted);
    assertThat(counted.touches).isEqualTo(2);
    assertThat(counted.lastHint).isEqualTo("hint");
  }

  @Test
  void leavesEverythingElseAlone() {
    assertThat(ReferenceCountUtil.retain("text")).isEqualTo("text");
    assertThat(ReferenceCountUtil.retain("text", 2)).isEqualTo("text");
    assertThat(ReferenceCountUtil.touch("text")).isEqualTo("text");
    assertThat(ReferenceCountUtil.touch("text", "hint")).isEqualTo("text");
    assertThat(ReferenceCountUtil.release("text")).isFalse();
    assertThat(ReferenceCountUtil.release("text", 2)).isFalse();
    assertThat(ReferenceCountUtil.refCnt("text")).isEqualTo(-1);
    assertThat(ReferenceCountUtil.<@Nullable Object>retain(null)).isNull();
    assertThat(ReferenceCountUtil.release(null)).isFalse();
    assertThat(ReferenceCountUtil.refCnt(null)).isEqualTo(-1);
  }

  @Test
  void aChangeThatIsNotPositiveIsRefusedForAnyObject() {
    assertThatThrownBy(() -> ReferenceCountUtil.retain("text", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("increment: 0");
    assertThatThrownBy(() -> ReferenceCountUtil.release("text", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("decrement: -1");
  }

  @Test
  void aSafeReleaseThrowsNothing() {
    ReferenceCountUtil.safeRelease(counted);
    assertThat(counted.deallocations).isEqualTo(1);
    assertThatCode(() -> ReferenceCountUtil.safeRelease(counted)).doesNotThrowAnyException();
    assertThatCode(() -> ReferenceCountUtil.safeRelease(counted, 0)).doesNotThrowAnyException();
    assertThat(counted.refCnt()).isZero();
  }

  /** Object whose release and string conversion fail. */
  private static final class Unshown extends AbstractReferenceCounted {
    @Override
    public ReferenceCounted touch(@Nullable Object hint) {
      return this;
    }

    @Override
    protected void deallocate() {
      throw new IllegalStateException("this one is meant to fail");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("this one is meant to fail");
    }
  }

  @Test
  void aSafeReleaseThrowsNothingEvenIfToStringFails() {
    assertThatCode(() -> ReferenceCountUtil.safeRelease(new Unshown())).doesNotThrowAnyException();
  }

  @Test
  void aCountThatIsSetBelowZeroIsZero() {
    for (int count : new int[] {-1, -2, -(1 << 29), Integer.MIN_VALUE, 0}) {
      counted.setRefCnt(count);
      assertThat(counted.refCnt()).isZero();
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () ->
              assertThatThrownBy(counted::retain)
                  .isInstanceOf(IllegalReferenceCountException.class));
      assertThatThrownBy(counted::release).isInstanceOf(IllegalReferenceCountException.class);
      assertThat(counted.refCnt()).isZero();
    }
  }
}
