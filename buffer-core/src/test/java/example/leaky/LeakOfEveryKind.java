/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.leaky;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.Unpooled;
import dev.cistern.buffer.UnpooledByteBufAllocator;
import dev.cistern.fixture.LeaksSince;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A program that leaks a buffer of each kind, in a separate JVM in which each buffer is watched. It
 * ends with 0 if each leak was reported once, with all its data.
 */
public final class LeakOfEveryKind {
  private static final int CHUNK_BYTES = 8192 << 7;
  private static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, 1, 1, 8192, 7);
  private static final PooledByteBufAllocator UNCACHED =
      new PooledByteBufAllocator(true, 1, 1, 8192, 7, 0, 0, false);
  private static final PooledByteBufAllocator WITHOUT_ARENAS =
      new PooledByteBufAllocator(true, 0, 0, 8192, 7);
  private static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);

  /** The expected report of a leaked buffer. */
  private record Expected(String memory, String kind, int requestedBytes) {
    static Expected of(LeakRecord leak) {
      return new Expected(leak.memory(), leak.kind(), Math.toIntExact(leak.requestedBytes()));
    }
  }

  private static final Expected DIRECT = new Expected("direct", "pooled", 100);
  private static final Expected HEAP = new Expected("heap", "pooled", 100);
  private static final Expected OWN_DIRECT = new Expected("direct", "unpooled", 100);
  private static final Expected OWN_HEAP = new Expected("heap", "unpooled", 100);

  /** The report of a composite, which has no memory at first. */
  private static final Expected NO_MEMORY = new Expected("heap", "composite", 0);

  /** Kinds of leaked buffers, which frames of an application make. */
  private enum Kind {
    POOLED_DIRECT(() -> POOLED.directBuffer(100), DIRECT),
    POOLED_HEAP(() -> POOLED.heapBuffer(100), HEAP),
    SHARED_CACHE_DIRECT(() -> UNCACHED.directBuffer(100), DIRECT),
    SHARED_CACHE_HEAP(() -> UNCACHED.heapBuffer(100), HEAP),
    HUGE(
        () -> POOLED.directBuffer(5 * CHUNK_BYTES),
        new Expected("direct", "pooled", 5 * CHUNK_BYTES)),
    RUN(() -> POOLED.heapBuffer(100_000), new Expected("heap", "pooled", 100_000)),
    NO_ARENA_DIRECT(() -> WITHOUT_ARENAS.directBuffer(100), OWN_DIRECT),
    NO_ARENA_HEAP(() -> WITHOUT_ARENAS.heapBuffer(100), OWN_HEAP),
    UNPOOLED_DIRECT(() -> UNPOOLED.directBuffer(100), OWN_DIRECT),

    SLICE(() -> of(POOLED).slice(3, 50), DIRECT),
    RETAINED_SLICE(() -> given(of(POOLED), buffer -> buffer.retainedSlice(3, 50)), DIRECT),
    READ_RETAINED_SLICE(() -> given(of(POOLED), buffer -> buffer.readRetainedSlice(50)), DIRECT),
    DUPLICATE(() -> of(POOLED).duplicate(), DIRECT),
    RETAINED_DUPLICATE(() -> given(of(UNPOOLED), ByteBuf::retainedDuplicate), OWN_DIRECT),
    SLICE_OF_DUPLICATE(() -> of(UNPOOLED).duplicate().slice(1, 60).retainedSlice(), OWN_DIRECT),
    SWAPPED(() -> swapped(of(POOLED)), DIRECT),
    SWAPPED_SLICE(() -> swapped(of(POOLED).slice(1, 20)), DIRECT),
    WRAPPED_ONE(() -> Unpooled.wrappedBuffer(of(POOLED)), DIRECT),
    UNRELEASABLE(() -> Unpooled.unreleasableBuffer(of(POOLED)), DIRECT),

    GROWN_IN_PLACE(() -> POOLED.directBuffer(100).capacity(101), DIRECT),
    GROWN(
        () -> POOLED.directBuffer(100).capacity(50_000), new Expected("direct", "pooled", 50_000)),
    GROWN_FIVE_TIMES(
        () -> grown(POOLED.heapBuffer(100), 500, 5_000, 50_000, 500_000, 5 * CHUNK_BYTES),
        new Expected("heap", "pooled", 5 * CHUNK_BYTES)),
    SHRUNK(() -> POOLED.directBuffer(100_000).capacity(10), new Expected("direct", "pooled", 10)),
    GROWN_UNPOOLED(() -> UNPOOLED.directBuffer(100).capacity(50_000), OWN_DIRECT),
    SLICE_OF_GROWN(
        () -> grown(of(POOLED), 9_000).slice(0, 10), new Expected("direct", "pooled", 9_000)),

    COMPOSITE(() -> POOLED.compositeBuffer(), NO_MEMORY),
    UNPOOLED_COMPOSITE(() -> UNPOOLED.compositeHeapBuffer(), NO_MEMORY),
    COMPOSITE_OF_ONE(
        () -> POOLED.compositeDirectBuffer().addComponent(true, of(POOLED)), NO_MEMORY, DIRECT),
    SLICE_OF_COMPOSITE(
        () ->
            POOLED
                .compositeHeapBuffer()
                .addComponents(true, of(POOLED), of(UNPOOLED))
                .slice(90, 20),
        NO_MEMORY,
        DIRECT,
        OWN_DIRECT),
    JOINED(() -> Unpooled.wrappedBuffer(of(POOLED), of(UNPOOLED)), DIRECT, OWN_DIRECT),
    FIXED_JOINED(
        () -> Unpooled.wrappedUnmodifiableBuffer(of(POOLED), of(UNPOOLED)), DIRECT, OWN_DIRECT);

    @SuppressWarnings("ImmutableEnumChecker") // makes a buffer, whatever it captures
    private final Supplier<ByteBuf> allocation;

    @SuppressWarnings("ImmutableEnumChecker") // is not changed
    private final List<Expected> expected;

    Kind(Supplier<ByteBuf> allocation, Expected... expected) {
      this.allocation = allocation;
      this.expected = List.of(expected);
    }
  }

  private LeakOfEveryKind() {}

  private static ByteBuf of(ByteBufAllocator allocator) {
    return allocator.directBuffer(100).writeZero(100);
  }

  /** Returns a view with its own reference, and releases the reference of the buffer. */
  private static ByteBuf given(ByteBuf buffer, UnaryOperator<ByteBuf> made) {
    ByteBuf view = made.apply(buffer);
    buffer.release();
    return view;
  }

  private static ByteBuf grown(ByteBuf buffer, int... capacities) {
    for (int capacity : capacities) {
      buffer.capacity(capacity);
    }
    return buffer;
  }

  @SuppressWarnings("deprecation") // order() is deprecated
  private static ByteBuf swapped(ByteBuf buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Leaks a buffer of each kind, at the level of this JVM. */
  public static void main(String[] arguments) throws InterruptedException {
    Level level = ResourceLeakDetector.getLevel();
    LeaksSince leaksSince = new LeaksSince();
    List<String> failures = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      leak(kind);
      List<LeaksSince.Leaks> found = leaksSince.collect();
      try {
        check(kind, level, found);
      } catch (AssertionError failure) {
        failures.add(kind + ": " + failure.getMessage() + "; found: " + found.size() + " entries");
      }
    }
    List<LeaksSince.Leaks> more = leaksSince.collect();
    expect(more.isEmpty(), "reported again: " + more);
    expect(failures.isEmpty(), String.join("\n", failures));
    System.out.println("as expected");
  }

  private static void leak(Kind kind) throws InterruptedException {
    Thread thread = new Thread(() -> allocateAndForget(kind), "thread of " + kind);
    thread.start();
    thread.join();
  }

  private static void allocateAndForget(Kind kind) {
    ByteBuf leaked = Application.handleRequest(kind.allocation);
    Application.writeResponse(() -> leaked.touch("hint of " + kind));
    Application.writeResponse(leaked::retain);
    Application.writeResponse(leaked::release);
  }

  private static void check(Kind kind, Level level, List<LeaksSince.Leaks> found) {
    long reported = found.stream().mapToLong(LeaksSince.Leaks::found).sum();
    expect(reported == kind.expected.size(), "reported: " + reported);
    for (LeaksSince.Leaks leaks : found) {
      Expected is = Expected.of(leaks.latest());
      expect(kind.expected.contains(is), "expected: " + kind.expected);
      check(kind, leaks.latest());
    }
    if (level == Level.SIMPLE) {
      expect(found.stream().allMatch(leaks -> leaks.latest().accesses().isEmpty()), "no accesses");
    } else if (kind.expected.size() == 1 && kind != Kind.UNRELEASABLE) {
      checkTrace(kind, found.get(0).latest());
    }
  }

  private static void check(Kind kind, LeakRecord leak) {
    expect(leak.thread().equals("thread of " + kind), "thread: " + leak.thread());
    expect(isBelow(leak.stack(), "handleRequest"), "stack: " + leak.stack());
    expect(leak.ageMillis() >= 0 && leak.ageMillis() < 60_000, "age: " + leak.ageMillis());
    boolean isPooled = leak.kind().equals("pooled");
    expect(
        isPooled ? leak.slotBytes() >= leak.requestedBytes() : leak.slotBytes() == 0,
        "slot: " + leak.slotBytes());
    if (isPooled && leak.requestedBytes() == 100) {
      expect(leak.slotBytes() == 112, "slot: " + leak.slotBytes());
    }
  }

  private static void checkTrace(Kind kind, LeakRecord leak) {
    expect(
        leak.accesses().stream()
            .anyMatch(
                access ->
                    access.operation().equals("touch")
                        && access.hint().equals("hint of " + kind)
                        && access.thread().equals("thread of " + kind)
                        && isOfResponse(access)),
        "touched");
    expect(leak.counts().size() >= 2, "counted");
    LeakAccess last = leak.counts().get(0);
    LeakAccess before = leak.counts().get(1);
    expect(last.operation().equals("release") && isOfResponse(last), "released: " + last);
    expect(before.operation().equals("retain") && isOfResponse(before), "retained: " + before);
  }

  private static boolean isOfResponse(LeakAccess access) {
    return isBelow(access.stack(), "writeResponse");
  }

  private static boolean isBelow(CallStack stack, String method) {
    String frame = Application.class.getName() + "." + method + "(";
    return stack.site().startsWith("example.leaky.")
        && stack.frames().stream().anyMatch(line -> line.startsWith(frame));
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
