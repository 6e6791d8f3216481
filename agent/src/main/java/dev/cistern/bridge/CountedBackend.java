/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.memory.NativeMemory;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of {@link NativeMemory}, in the accounts in which Netty's own chunks would be: the JVM's
 * account of direct memory with its limit ({@code -XX:MaxDirectMemorySize}), Netty's own counter
 * with its limit, or both (docs/decisions/0038).
 *
 * <p>A freed block no longer counts. It stays mapped for a while ({@link MemoryQuarantine}).
 *
 * <p>Each block is recorded for the agent, which frees the remaining ones once no code can reach a
 * buffer of this copy of Netty any more (docs/decisions/0036). A record has only classes of the
 * JDK, so that the agent does not hold the copy.
 */
final class CountedBackend implements MemoryBackend {
  /** The place, in a record, of the arguments that take the block off the JVM's account. */
  private static final int JVM_BYTES = 3;

  /** Null where Netty's chunks do not count there. */
  private final @Nullable Account jvm;

  /** Null where Netty's chunks do not count there. */
  private final @Nullable Account netty;

  /** Null where Netty's views stay usable after their end. */
  private final @Nullable BoundViews bound;

  /** 0 or the size of a page: the JDK aligns its direct buffers if a property asks for that. */
  private final int alignment;

  /** The agent's; null without an agent. It removes without allocating: the heap may be full. */
  private final @Nullable Set<Object[]> records = BridgeSettings.records();

  private final MemoryQuarantine quarantine = MemoryQuarantine.ofBlocks();
  private final MemoryQuarantine.Unmapper unmapper = this::unmap;
  private final IntFunction<Memory> create = this::create;

  private CountedBackend(
      @Nullable Account jvm, @Nullable Account netty, @Nullable BoundViews bound, int alignment) {
    this.jvm = jvm;
    this.netty = netty;
    this.bound = bound;
    this.alignment = alignment;
  }

  /** Returns the backend, or null if the accounts cannot be reached or are not known. */
  static @Nullable MemoryBackend find() {
    try {
      if (!NativeMemory.isAvailable()) {
        return null;
      }
      int alignment = isAligned() ? (int) NativeMemory.pageBytes() : 0;
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

  /** Whether direct buffers begin with a page ({@code -Dsun.nio.PageAlignDirectMemory=true}). */
  private static boolean isAligned() throws ReflectiveOperationException {
    Class<?> machine = Class.forName("jdk.internal.misc.VM");
    return (Boolean) HostMethods.invoke(machine.getMethod("isDirectMemoryPageAligned"), null);
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
    Object[] nettyBytes = {bytes};
    Object[] jvmBytes = {(long) bytes + alignment, (long) bytes};
    if (netty != null) {
      netty.add(nettyBytes);
    }
    try {
      if (jvm != null) {
        jvm.add(jvmBytes);
      }
      try {
        return uncounted(bytes, nettyBytes, jvmBytes);
      } catch (Throwable refused) {
        if (jvm != null) {
          jvm.subtract(jvmBytes);
        }
        throw refused;
      }
    } catch (Throwable refused) {
      if (netty != null) {
        netty.subtract(nettyBytes);
      }
      throw refused;
    }
  }

  private Region uncounted(int bytes, Object[] nettyBytes, Object[] jvmBytes) {
    Memory memory = (Memory) quarantine.takeBack(bytes, alignment, unmapper);
    if (memory == null) {
      memory = quarantine.request(create, bytes);
    }
    try {
      settle(memory);
      Region region =
          new Region(null, memory.block.address(), memory.view, bytes, memory, memory.block.way());
      memory.nettyBytes = netty == null ? null : nettyBytes;
      memory.jvmBytes = jvm == null ? null : jvmBytes;
      memory.record[JVM_BYTES] = memory.jvmBytes;
      return region;
    } catch (Throwable heapIsFull) { // a late reader may still use memory from the quarantine
      quarantine.add(memory.block.address(), bytes, memory, unmapper);
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
      Memory memory = new Memory(block, view, arena, record);
      if (records != null) {
        records.add(record); // last: what fails leaves no record behind
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

  /** If an account cannot be reached now, it gets its bytes back before the block is freed. */
  @Override
  public void free(Region region) {
    Memory memory = (Memory) Objects.requireNonNull(region.handle());
    try {
      settle(memory);
    } catch (OutOfMemoryError | StackOverflowError later) {
      // unmap() tries again
    } finally {
      quarantine.add(memory.block.address(), region.bytes(), memory, unmapper);
    }
  }

  /** Takes a block off its accounts, unless it is. */
  private void settle(Memory memory) {
    Object[] jvmBytes = memory.jvmBytes;
    if (jvm != null && jvmBytes != null) {
      jvm.subtract(jvmBytes);
      memory.jvmBytes = null;
      memory.record[JVM_BYTES] = null;
    }
    Object[] nettyBytes = memory.nettyBytes;
    if (netty != null && nettyBytes != null) {
      netty.subtract(nettyBytes);
      memory.nettyBytes = null;
    }
  }

  /** Fails before it has freed anything, or not at all: the quarantine tries again. */
  private void unmap(long address, long bytes, @Nullable Object handle) {
    Memory memory = (Memory) Objects.requireNonNull(handle);
    settle(memory);
    if (memory.arena != null && !memory.isArenaClosed) {
      try {
        BoundViews.close(memory.arena);
      } catch (IllegalStateException inUse) { // the JVM reads or writes a view
        if (!quarantine.addAgain(memory.block.address(), bytes, memory, unmapper)) {
          throw inUse;
        }
        return;
      }
      memory.isArenaClosed = true;
    }
    memory.block.free();
    if (records != null) {
      records.remove(memory.record);
    }
  }

  /** A block, with all that is needed to free it: then the Java heap may be full. */
  private static final class Memory {
    private final NativeMemory.Block block;
    private final ByteBuffer view;
    private final @Nullable AutoCloseable arena;
    private final @Nullable Object[] record;
    private boolean isArenaClosed;

    /** The arguments that take it off Netty's account; null: it is off. */
    private Object @Nullable [] nettyBytes;

    /** The arguments that take it off the JVM's account; null: it is off. */
    private Object @Nullable [] jvmBytes;

    Memory(
        NativeMemory.Block block,
        ByteBuffer view,
        @Nullable AutoCloseable arena,
        @Nullable Object[] record) {
      this.block = block;
      this.view = view;
      this.arena = arena;
      this.record = record;
    }
  }

  /** Methods that count memory, and refuse what is too much. */
  private record Account(Method reserve, Method release) {
    /** After so many calls, the JDK makes no more classes for a method: later, memory is short. */
    private static final int WARM_UP = 200;

    Account {
      Object[] nothing = new Object[reserve.getParameterCount()];
      boolean isInt = reserve.getParameterTypes()[0] == int.class;
      Arrays.fill(nothing, isInt ? (Object) 0 : (Object) 0L);
      for (int i = 0; i < WARM_UP; i++) {
        Object unused = HostMethods.invoke(reserve, null, nothing);
        unused = HostMethods.invoke(release, null, nothing);
      }
    }

    void add(Object[] bytes) {
      Object unused = HostMethods.invoke(reserve, null, bytes);
    }

    void subtract(Object[] bytes) {
      Object unused = HostMethods.invoke(release, null, bytes);
    }
  }
}
