/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.fail;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random calls on one buffer of Netty's and one of Cistern's, compared after each call. A buffer
 * that a call returns gets some calls, too.
 */
final class TwinRun {
  private static final int CALLS_ON_VIEWS = 5;
  private static final int MAX_DEPTH = 2;
  private static final int REMEMBERED_CALLS = 12;
  private static final int CALLS_AFTER_RELEASE = 3;

  /** Thrown at an intended difference, after which the two buffers can no longer be compared. */
  private static final class Deviated extends RuntimeException {
    private static final long serialVersionUID = 1;

    Deviated() {
      super(null, null, false, false);
    }
  }

  private final String name;
  private final List<MethodPair> methods;

  /** Buffers that a call made or took ownership of, released at the end of the run. */
  private final List<Both> owned = new ArrayList<>();

  private final SplittableRandom random;
  private final TwinArguments arguments;
  private final Deque<TwinCall> lastCalls = new ArrayDeque<>();
  private final List<Both> retainedViews = new ArrayList<>();
  private int calls;

  /**
   * True from the first retained view of a pooled buffer on, because Netty counts it separately.
   */
  private boolean countsApart;

  TwinRun(String name, List<MethodPair> methods, SplittableRandom random, TwinFiles files) {
    this.name = name;
    this.methods = methods;
    this.random = random;
    arguments = new TwinArguments(random, files);
  }

  /**
   * Makes {@code count} calls on both buffers, or fewer if an intended difference ends the
   * comparison; then frees them.
   */
  int drive(Twin twin, int count) {
    int before = calls;
    try {
      compare(twin, "at the start");
      drive(twin, methods, count);
      String marks = twin.differenceOfMarks();
      if (marks != null) {
        lastCalls.getLast().differ(marks);
        settle(lastCalls.getLast());
      }
    } catch (Deviated apart) {
      // counted when it was detected
    } finally {
      Collections.reverse(retainedViews); // each retains its parent
      retainedViews.forEach(TwinRun::freeView);
      Collections.reverse(owned);
      owned.forEach(TwinRun::freeView);
      twin.free();
    }
    return calls - before;
  }

  private void drive(Twin twin, List<MethodPair> some, int count) {
    int most = count;
    for (int i = 0; i < most; i++) {
      MethodPair method = some.get(random.nextInt(some.size()));
      if (canBeCompared(method, twin)) {
        step(twin, method);
      }
      if (twin.ours().refCnt() == 0) {
        // The pool can reuse a released buffer as the argument of the next call.
        boolean mayBePooled = twin.kind().isPooled() || twin.depth() > 0;
        most = mayBePooled ? 0 : Math.min(most, i + CALLS_AFTER_RELEASE);
      }
    }
  }

  private boolean canBeCompared(MethodPair method, Twin twin) {
    if (countsApart && method.name().matches("retain|release|refCnt")) {
      return false;
    }
    boolean isOfViews = method.name().matches(".*(Slice|slice|uplicate)|asReadOnly|order");
    return !isOfViews || !twin.isCountedByItself();
  }

  private void step(Twin twin, MethodPair method) {
    TwinCall call = new TwinCall(method, arguments.of(method.ours(), twin), twin, twin.ours());
    remember(call);
    calls++;
    if (call.guessesReserve()) {
      call.runCisternOnly();
      Deviation.GUESSED_RESERVE.meet();
      TwinArguments.free(call.arguments(), twin);
      throw new Deviated();
    } else if (call.mayCrashNetty()) {
      call.runCisternOnly();
      Deviation.UNCHECKED_READS.meet();
      settle(call);
      return; // numbers only, so there is nothing to free
    }
    boolean mayGo = false;
    try {
      call.run(twin.theirs());
      if (call.difference() == null) {
        call.touchReturnedNioBuffers();
        call.differ(TwinArguments.difference(call.arguments(), twin));
        if (twin.ours().refCnt() > 0 && twin.theirs().refCnt() > 0 && isGrown(call)) {
          twin.level(call.capacity(), call.writerIndex());
        }
        call.differ(twin.difference(!countsApart));
      }
      noteRetainedView(call);
      settle(call);
      follow(call);
      mayGo = true;
    } finally {
      freeCopy(call);
      if (call.takesOwnership()) {
        TwinArguments.addBuffers(call.arguments(), owned);
      } else {
        TwinArguments.free(call.arguments(), twin);
      }
    }
    if (mayGo && (calls % 16 == 0 || call.movesMarks())) {
      compareMarks(call);
    }
  }

  private void noteRetainedView(TwinCall call) {
    if (call.kind().isPooled() && call.bothReturn() && call.name().matches("(r|readR)etained.*")) {
      if (!countsApart) {
        Deviation.RETAINED_VIEWS_SHARE_THE_COUNT.meet();
      }
      countsApart = true;
      retainedViews.add(new Both(call.theirs().value(), call.ours().value()));
      call.forgetDifference();
      call.differ(call.twin().difference(false));
    }
  }

  private static void freeView(Both view) {
    try {
      Twin.free(view);
    } catch (io.netty.util.IllegalReferenceCountException isGone) {
      // freed with its parent
    }
  }

  private static boolean isGrown(TwinCall call) {
    Twin twin = call.twin();
    return !twin.ours().isReadOnly()
        && (twin.ours().capacity() != call.capacity()
            || twin.theirs().capacity() != call.capacity());
  }

  private void remember(TwinCall call) {
    lastCalls.addLast(call);
    if (lastCalls.size() > REMEMBERED_CALLS) {
      lastCalls.removeFirst();
    }
  }

  private void compareMarks(TwinCall call) {
    call.differ(call.twin().differenceOfMarks());
    settle(call);
  }

  /**
   * Returns if the two agree, ends the comparison at an intended difference, and fails otherwise.
   */
  private void settle(TwinCall call) {
    Twin twin = call.twin();
    if (countsApart && (twin.theirs().refCnt() == 0) != (twin.ours().refCnt() == 0)) {
      throw new Deviated();
    } else if (call.difference() == null) {
      return;
    }
    if (Deviation.of(call) == null) {
      failed(call.difference());
    }
    throw new Deviated();
  }

  private void compare(Twin twin, String when) {
    String difference = twin.difference(!countsApart);
    if (difference != null) {
      failed(twin + " differs " + when + ": " + difference);
    }
  }

  private void failed(String difference) {
    StringBuilder message = new StringBuilder(name + ": " + difference + "\nlast calls:");
    lastCalls.forEach(call -> message.append("\n  ").append(call));
    Throwable cause = lastCalls.isEmpty() ? null : lastCalls.getLast().ours().thrown();
    fail(message.toString(), cause);
  }

  /**
   * Makes some calls on a returned buffer, and checks that the original buffers show the same
   * changes.
   */
  @SuppressWarnings("ReferenceEquality") // the same object
  private void follow(TwinCall call) {
    Twin twin = call.twin();
    if (!(call.ours().value() instanceof ByteBuf returned)
        || returned == twin.ours()
        || call.name().equals("unwrap") // only its views show the changes
        || twin.depth() >= MAX_DEPTH
        || returned.refCnt() == 0
        || (MethodPair.isStatic(call.method().ours()) && mayCrash(call.theirs().value()))) {
      return;
    }
    Twin next =
        new Twin(
            (io.netty.buffer.ByteBuf) call.theirs().value(),
            returned,
            twin.kind(),
            twin.depth() + 1);
    int capacity = twin.ours().capacity();
    if (isMade(call) && !returned.isReadOnly()) {
      next.level(0);
    }
    call.differ(next.difference(!countsApart));
    settle(call);
    boolean isHeld = twin.ours().refCnt() > 0;
    drive(next, DifferentialTest.METHODS, CALLS_ON_VIEWS);
    if (!isHeld) {
      return; // the pool can have reused it
    }
    if (twin.ours().refCnt() > 0 && !twin.ours().isReadOnly() && isLevelNeeded(twin, capacity)) {
      twin.level(Math.min(capacity, Math.min(twin.theirs().capacity(), twin.ours().capacity())));
    }
    call.differ(twin.difference(!countsApart));
    settle(call);
  }

  /**
   * Returns whether Netty may crash the JVM, which includes a composite with a read-only NIO part.
   */
  private static boolean mayCrash(Object theirs) {
    if (isReadOnlyNio(theirs)) {
      return true;
    }
    for (io.netty.buffer.ByteBuf buffer = (io.netty.buffer.ByteBuf) theirs;
        buffer != null;
        buffer = buffer.unwrap()) {
      if (parts(buffer).anyMatch(TwinRun::mayCrash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the components of a composite. FixedCompositeByteBuf has no accessor for them, so this
   * reads its field.
   */
  private static Stream<?> parts(io.netty.buffer.ByteBuf composite) {
    if (composite instanceof io.netty.buffer.CompositeByteBuf parts) {
      return IntStream.range(0, parts.numComponents()).mapToObj(parts::component);
    } else if (!composite.getClass().getSimpleName().equals("FixedCompositeByteBuf")) {
      return Stream.of();
    }
    try {
      Field parts = composite.getClass().getDeclaredField("buffers");
      parts.setAccessible(true);
      return Stream.of((Object[]) parts.get(composite));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot read FixedCompositeByteBuf.buffers", e);
    }
  }

  /**
   * Returns whether the buffer is a view of a read-only NIO buffer, for which Netty checks no
   * access.
   */
  static boolean isReadOnlyNio(Object theirs) {
    for (io.netty.buffer.ByteBuf buffer = (io.netty.buffer.ByteBuf) theirs;
        buffer != null;
        buffer = buffer.unwrap()) {
      if (buffer
          .getClass()
          .getSimpleName()
          .matches("ReadOnly(ByteBufferBuf|UnsafeDirectByteBuf)")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLevelNeeded(Twin twin, int capacity) {
    return twin.ours().capacity() != capacity || twin.theirs().capacity() != capacity;
  }

  /** Returns whether the returned buffer has new bytes, or bytes of the arguments. */
  private static boolean isMade(TwinCall call) {
    return MethodPair.isStatic(call.method().ours())
        ? !TwinArguments.isViewOf(call.ours().value(), call.twin())
        : call.method().name().matches("copy|readBytes");
  }

  /** Frees the buffers that a call has made, unless they are views of existing ones. */
  private static void freeCopy(TwinCall call) {
    Object ours = call.ours() == null ? null : call.ours().value();
    Object theirs = call.theirs() == null ? null : call.theirs().value();
    boolean isItself = ours == call.twin().ours();
    if (!isItself && isMade(call)) {
      Twin.free(new Both(theirs, ours));
    }
  }
}
