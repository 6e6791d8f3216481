/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MappedMemory;
import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.memory.NativeMemory;
import dev.cistern.memory.NioMemory;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The backend that allocates blocks of {@link NativeMemory}, and counts them in the accounts that
 * would count Netty's own chunks: the JVM's account of direct memory with its limit ({@code
 * -XX:MaxDirectMemorySize}), Netty's own counter with its limit, or both
 * (docs/internals/decisions/0038).
 *
 * <p>A freed block no longer counts. It stays mapped for a while ({@link MemoryQuarantine}).
 *
 * <p>Each block is recorded for the agent, which frees the remaining ones once no code can reach a
 * buffer of this copy of Netty any more (docs/internals/decisions/0036). A record has only types of
 * the JDK, so that the agent does not hold the copy.
 */
final class CountedBackend implements MemoryBackend {
  /** Index, in a record, of the arguments that subtract the block from the JVM's account. */
  private static final int JVM_BYTES = 3;

  /** The JVM's account; null if it does not count Netty's chunks. */
  private final @Nullable Account jvm;

  /** Netty's account; null if it does not count Netty's chunks. */
  private final @Nullable Account netty;

  /** Factory of views that end with their memory; null if Netty's views stay usable after that. */
  private final @Nullable BoundViews bound;

  /**
   * Alignment in bytes: the size of a page if a property makes the JDK align its direct buffers,
   * otherwise 0.
   */
  private final int alignment;

  /**
   * The agent's records of blocks; null without an agent. A removal must not allocate, because the
   * heap may be full.
   */
  private final @Nullable Set<Object[]> records = NettyPoolSettings.current().records();

  private final MemoryQuarantine quarantine = MemoryQuarantine.ofBlocks();
  private final IntFunction<Memory> create = this::create;

  private CountedBackend(
      @Nullable Account jvm, @Nullable Account netty, @Nullable BoundViews bound, int alignment) {
    this.jvm = jvm;
    this.netty = netty;
    this.bound = bound;
    this.alignment = alignment;
  }

  /** Returns the backend, or null if the accounts are not accessible or not known. */
  static @Nullable MemoryBackend find() {
    try {
      if (!NioMemory.canWrap()) {
        return null;
      }
      int alignment = isAligned() ? (int) MemoryAccess.PAGE_BYTES : 0;
      if (!NettyBackend.isCleanable()) {
        if (!PlatformDependent.hasUnsafe()) {
          return null;
        }
        return PlatformDependent.useDirectBufferNoCleaner()
            ? new CountedBackend(null, nettyAccount(), null, 0)
            : new CountedBackend(jvmAccount(), null, null, alignment);
      }
      return switch (cleaner()) {
        case "CleanerJava9" -> new CountedBackend(jvmAccount(), nettyAccount(), null, alignment);
        case "CleanerJava25" -> new CountedBackend(null, nettyAccount(), new BoundViews(), 0);
        case "DirectCleaner", "CleanerJava24Linker" ->
            new CountedBackend(null, nettyAccount(), null, 0);
        default -> null;
      };
    } catch (ReflectiveOperationException | RuntimeException closed) {
      return null;
    }
  }

  @Override
  public boolean isInJvmAccount() {
    return jvm != null;
  }

  /**
   * Returns whether direct buffers are aligned to a page ({@code
   * -Dsun.nio.PageAlignDirectMemory=true}).
   */
  private static boolean isAligned() throws ReflectiveOperationException {
    Class<?> machine = Class.forName("jdk.internal.misc.VM");
    return (Boolean) ReflectiveCalls.invoke(machine.getMethod("isDirectMemoryPageAligned"), null);
  }

  private static String cleaner() throws ReflectiveOperationException {
    Field cleaner = PlatformDependent.class.getDeclaredField("CLEANER");
    cleaner.setAccessible(true);
    return cleaner.get(null).getClass().getSimpleName();
  }

  private static Account jvmAccount() throws ReflectiveOperationException {
    Class<?> bits = Class.forName("java.nio.Bits");
    return new Account(
        opened(bits, "reserveMemory", long.class, long.class),
        opened(bits, "unreserveMemory", long.class, long.class));
  }

  private static Account nettyAccount() throws ReflectiveOperationException {
    Class<?> platform = PlatformDependent.class;
    return new Account(
        opened(platform, "incrementMemoryCounter", int.class),
        opened(platform, "decrementMemoryCounter", int.class));
  }

  private static Method opened(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method found = type.getDeclaredMethod(name, parameters);
    found.setAccessible(true);
    return found;
  }

  @Override
  public Region allocate(int bytes) {
    if (netty != null) {
      netty.add(bytes, bytes);
    }
    try {
      if (jvm != null) {
        jvm.add((long) bytes + alignment, bytes);
      }
      try {
        return uncounted(bytes);
      } catch (Throwable refused) {
        if (jvm != null) {
          jvm.subtract((long) bytes + alignment, bytes);
        }
        throw refused;
      }
    } catch (Throwable refused) {
      if (netty != null) {
        netty.subtract(bytes, bytes);
      }
      throw refused;
    }
  }

  private Region uncounted(int bytes) {
    Memory memory = quarantine.takeBack(Memory.class, bytes, alignment);
    if (memory == null) {
      memory = quarantine.allocateWithRetry(create, bytes);
    }
    try {
      subtractFromAccounts(memory);
      Region region =
          new Region(null, memory.block.address(), memory.view, bytes, memory, memory.block.way());
      memory.isInNetty = netty != null;
      memory.isInJvm = jvm != null;
      memory.record[JVM_BYTES] = jvm == null ? null : memory.jvmBytes;
      return region;
    } catch (Throwable heapIsFull) { // a late reader may still use memory from the quarantine
      quarantine.add(memory);
      throw heapIsFull;
    }
  }

  private Memory create(int bytes) {
    NativeMemory.Block block = NativeMemory.allocate(bytes, alignment);
    AutoCloseable arena = null;
    try {
      ByteBuffer view;
      if (bound == null) {
        view = block.view();
      } else {
        arena = bound.open();
        view = bound.view(arena, block.address(), bytes);
      }
      Object[] record = {block.way().name(), block.start(), block.length(), null, arena};
      Object[] jvmBytes = {(long) bytes + alignment, (long) bytes};
      Memory memory = new Memory(block, view, arena, record, jvmBytes);
      if (records != null) {
        records.add(record); // last, so that a failure leaves no record
      }
      return memory;
    } catch (Throwable failed) {
      if (arena != null) {
        BoundViews.close(arena);
      }
      block.free();
      throw failed;
    }
  }

  /**
   * Moves a block to the quarantine. If the account cannot be changed now, that is done before the
   * block is freed.
   */
  @Override
  public void free(Region region) {
    Memory memory = (Memory) Objects.requireNonNull(region.handle());
    try {
      subtractFromAccounts(memory);
    } catch (OutOfMemoryError | StackOverflowError later) {
      // tryFree() tries again
    } finally {
      quarantine.add(memory);
    }
  }

  /** Subtracts a block from the accounts that still count it. */
  private void subtractFromAccounts(Memory memory) {
    long bytes = memory.block.bytes();
    if (jvm != null && memory.isInJvm) {
      jvm.subtract(bytes + alignment, bytes);
      memory.isInJvm = false;
      memory.record[JVM_BYTES] = null;
    }
    if (netty != null && memory.isInNetty) {
      netty.subtract(bytes, bytes);
      memory.isInNetty = false;
    }
  }

  /** A block, with all objects that freeing needs, because the Java heap may be full then. */
  private final class Memory extends MappedMemory {
    private final NativeMemory.Block block;
    private final ByteBuffer view;
    private final @Nullable AutoCloseable arena;
    private final @Nullable Object[] record;

    /** The arguments that subtract it from the JVM's account. */
    private final Object[] jvmBytes;

    private boolean isArenaClosed;
    private boolean isInNetty;
    private boolean isInJvm;

    Memory(
        NativeMemory.Block block,
        ByteBuffer view,
        @Nullable AutoCloseable arena,
        @Nullable Object[] record,
        Object[] jvmBytes) {
      super(block.address(), block.bytes());
      this.block = block;
      this.jvmBytes = jvmBytes;
      this.view = view;
      this.arena = arena;
      this.record = record;
    }

    @Override
    protected boolean tryFree() {
      subtractFromAccounts(this);
      if (arena != null && !isArenaClosed) {
        try {
          BoundViews.close(arena);
        } catch (IllegalStateException inUse) { // the JVM reads or writes a view
          return false;
        }
        isArenaClosed = true;
      }
      block.free();
      if (records != null) {
        records.remove(record);
      }
      return true;
    }
  }

  /**
   * The methods of an account, which count memory and refuse requests above its limit. They are
   * called by method handles: JDK 17 defines a class for a method that is called often by
   * reflection, which fails if the host's loader hides the JDK's classes.
   */
  private static final class Account {
    /**
     * Number of calls after which the JDK defines no more classes for a handle. They are made in
     * advance, because memory may be short later.
     */
    private static final int WARM_UP = 200;

    private final MethodHandle reserve;
    private final MethodHandle release;
    private final boolean hasInt;

    /**
     * @param reserve has one int, or two longs, the second of which is the usable part
     */
    Account(Method reserve, Method release) throws IllegalAccessException {
      this.reserve = MethodHandles.lookup().unreflect(reserve);
      this.release = MethodHandles.lookup().unreflect(release);
      this.hasInt = reserve.getParameterCount() == 1;
      for (int i = 0; i < WARM_UP; i++) {
        add(0, 0);
        subtract(0, 0);
      }
    }

    void add(long bytes, long usable) {
      call(reserve, bytes, usable);
    }

    void subtract(long bytes, long usable) {
      call(release, bytes, usable);
    }

    private void call(MethodHandle method, long bytes, long usable) {
      try {
        if (hasInt) {
          method.invokeExact((int) bytes);
        } else {
          method.invokeExact(bytes, usable);
        }
      } catch (RuntimeException | Error failed) {
        throw failed;
      } catch (Throwable impossible) {
        throw new IllegalStateException("cannot count direct memory", impossible);
      }
    }
  }
}
