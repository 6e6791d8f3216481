/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.RecordingLevel;
import dev.cistern.util.ByteProcessor;
import dev.cistern.util.ResourceLeakTracker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the accesses that a watched buffer records. */
@Tag("E3")
@Tag("E5")
@Tag("E6")
@SuppressWarnings("deprecation") // order() is deprecated
@Unwatched("its buffers are wrapped by hand, for trackers of its own")
class LeakAwareByteBufTest {
  /** Methods that read or move indices, or read properties of the buffer. */
  private static final Set<String> NOT_RECORDED =
      Set.of(
          "alloc",
          "array",
          "arrayOffset",
          "asByteBuf",
          "capacity[]",
          "clear",
          "compareTo",
          "equals",
          "hasArray",
          "hasMemoryAddress",
          "hashCode",
          "isContiguous",
          "isDirect",
          "isReadOnly",
          "isReadable",
          "isWritable",
          "markReaderIndex",
          "markWriterIndex",
          "maxCapacity",
          "maxFastWritableBytes",
          "maxWritableBytes",
          "memoryAddress",
          "order[]",
          "readableBytes",
          "readerIndex",
          "refCnt",
          "resetReaderIndex",
          "resetWriterIndex",
          "setIndex",
          "toString[]",
          "unwrap",
          "writableBytes",
          "writerIndex");

  private static final Set<String> OF_THE_COUNT = Set.of("retain", "release", "touch");

  @TempDir private Path directory;

  /** Tracker that counts its calls. */
  private static final class Tracker implements ResourceLeakTracker<ByteBuf> {
    private int records;
    private int closed;

    @Override
    public void record() {
      records++;
    }

    @Override
    public void record(Object hint) {
      records++;
    }

    @Override
    public boolean close(ByteBuf trackedObject) {
      return closed++ == 0;
    }
  }

  private Object argument(Class<?> type) throws IOException {
    if (type == int.class) {
      return 1;
    } else if (type == byte[].class) {
      return new byte[2];
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(2);
    } else if (type == ByteBuf.class) {
      return Unpooled.buffer(2, 2).writeByte(1);
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type == CharSequence.class) {
      return "a";
    } else if (type == ByteOrder.class) {
      return ByteOrder.LITTLE_ENDIAN;
    } else if (type == OutputStream.class) {
      return new ByteArrayOutputStream();
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[2]);
    } else if (type == GatheringByteChannel.class
        || type == ScatteringByteChannel.class
        || type == FileChannel.class) {
      return FileChannel.open(
          directory.resolve("file"),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
    } else if (type == ByteProcessor.class) {
      return ByteProcessor.FIND_CR;
    } else if (type == boolean.class) {
      return true;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == float.class) {
      return 1f;
    }
    return type == double.class ? 1d : null;
  }

  private static String name(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  private static boolean isIn(Set<String> names, Method method) {
    return names.contains(method.getName()) || names.contains(name(method));
  }

  /** Returns whether the method records; comparisons of a composite are accesses, too. */
  private static boolean isRecorded(Method method, boolean isComposite) {
    return !isIn(NOT_RECORDED, method)
        || (isComposite && method.getName().matches("compareTo|equals|hashCode"));
  }

  private static int expected(Method method, RecordingLevel recorded, boolean isComposite) {
    if (!isRecorded(method, isComposite)) {
      return 0;
    } else if (isIn(OF_THE_COUNT, method)) {
      return recorded == RecordingLevel.RELEASE_ONLY ? 0 : 1;
    }
    return recorded == RecordingLevel.ALL ? 1 : 0;
  }

  private static ByteBuf wrapped(RecordingLevel recorded, Tracker tracker) {
    ByteBuf target = Unpooled.buffer(64).setIndex(1, 32).markWriterIndex();
    return new LeakAwareByteBuf(target, target, tracker, recorded);
  }

  private static ByteBuf composite(RecordingLevel recorded, Tracker tracker) {
    LeakAwareCompositeByteBuf composite =
        new LeakAwareCompositeByteBuf(TestAllocators.UNPOOLED, false, 4, recorded);
    composite.addComponents(
        true, Unpooled.buffer(9).writeZero(9), Unpooled.buffer(55).writeZero(55));
    composite.setIndex(1, 32).markWriterIndex();
    composite.tracker = tracker;
    return composite;
  }

  private void eachMethodRecords(RecordingLevel recorded) throws IOException {
    eachMethodRecords(recorded, false);
    eachMethodRecords(recorded, true);
  }

  private void eachMethodRecords(RecordingLevel recorded, boolean isComposite) throws IOException {
    Set<String> wrong = new TreeSet<>();
    int called = 0;
    for (Method method : ByteBuf.class.getMethods()) {
      if (method.isBridge() || method.getDeclaringClass() == Object.class) {
        continue;
      }
      Tracker tracker = new Tracker();
      ByteBuf buffer = isComposite ? composite(recorded, tracker) : wrapped(recorded, tracker);
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = argument(method.getParameterTypes()[i]);
      }
      if (method.getName().equals("indexOf")) {
        arguments[0] = 0; // a search in an empty range accesses nothing
      }
      MethodPair.Outcome outcome = MethodPair.call(method, buffer, arguments);
      called++;
      boolean isOfHeap = outcome.thrown() instanceof UnsupportedOperationException;
      if ((outcome.thrown() != null && !isOfHeap)
          || tracker.records != expected(method, recorded, isComposite)) {
        wrong.add(name(method) + ": " + tracker.records + " records, " + outcome);
      }
      for (Object argument : arguments) {
        if (argument instanceof FileChannel channel) {
          channel.close();
        }
      }
    }
    assertThat(called).isGreaterThan(190);
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyOperationIsRecordedOnce() throws IOException {
    eachMethodRecords(RecordingLevel.ALL);
  }

  @Test
  void onlyRetainAndReleaseAreRecordedIfThatIsSet() throws IOException {
    eachMethodRecords(RecordingLevel.COUNTS);
  }

  @Test
  void atTheSimpleLevelNothingIsRecorded() throws IOException {
    eachMethodRecords(RecordingLevel.RELEASE_ONLY);
  }

  /** Runs the work in another thread while this thread is within an operation. */
  private static void inAnotherThread(Runnable work) {
    try {
      CompletableFuture.runAsync(work).get(30, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  @Tag("B12")
  void anotherThreadsOperationsOnACompositeAreRecordedDuringOne() {
    Tracker tracker = new Tracker();
    ByteBuf buffer = composite(RecordingLevel.ALL, tracker);
    ByteProcessor within =
        value -> {
          buffer.getByte(0); // a separate operation
          int before = tracker.records;
          inAnotherThread(() -> assertThat(buffer.retain().getByte(0)).isZero());
          inAnotherThread(buffer::release);
          assertThat(tracker.records).isEqualTo(before + 3);
          return false;
        };
    assertThat(buffer.forEachByte(within)).isEqualTo(1);
    assertThat(tracker.records).isEqualTo(5);
    inAnotherThread(() -> buffer.indexOf(0, 2, (byte) 1));
    assertThat(tracker.records).isEqualTo(6);
    assertThat(buffer.indexOf(0, 2, (byte) 1)).isEqualTo(-1);
    assertThat(tracker.records).isEqualTo(7);
    buffer.release();
  }

  /** Tests all interleavings of two readers: no state remains after them. */
  @Test
  @Tag("B12")
  void readersThatMeetDoNotEndTheRecord() throws Exception {
    for (int round = 0; round < 300; round++) {
      Tracker tracker = new Tracker();
      ByteBuf buffer = composite(RecordingLevel.COUNTS, tracker);
      CyclicBarrier start = new CyclicBarrier(2);
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Thread reader =
            new Thread(
                () -> {
                  try {
                    start.await();
                  } catch (Exception failed) {
                    throw new AssertionError(failed);
                  }
                  for (int n = 0; n < 1000; n++) {
                    buffer.indexOf(0, 2, (byte) 1);
                  }
                });
        reader.start();
        readers.add(reader);
      }
      for (Thread reader : readers) {
        reader.join();
      }
      buffer.touch();
      assertThat(tracker.records).as("round %s", round).isEqualTo(1);
      buffer.release();
    }
  }

  @Test
  void viewsAreWatchedTooAndTheLastReleaseEndsTheWatch() {
    Tracker tracker = new Tracker();
    ByteBuf target = Unpooled.buffer(64).writeZero(32);
    ByteBuf buffer = new LeakAwareByteBuf(target, target, tracker, RecordingLevel.ALL);
    for (ByteBuf view :
        new ByteBuf[] {
          buffer.slice(),
          buffer.slice(1, 2),
          buffer.duplicate(),
          buffer.asReadOnly(),
          buffer.order(ByteOrder.LITTLE_ENDIAN),
          buffer.readSlice(2),
          buffer.slice().slice(1, 2)
        }) {
      int before = tracker.records;
      view.getByte(0);
      assertThat(tracker.records).isEqualTo(before + 1);
    }
    ByteBuf retained = buffer.readRetainedSlice(2);
    assertThat(buffer.release()).isFalse();
    assertThat(tracker.closed).isZero();
    assertThat(retained.release()).isTrue();
    assertThat(tracker.closed).isEqualTo(1);
    assertThat(target.refCnt()).isZero();
  }

  @Test
  void aClosedTrackerDoesNotFailTheRelease() {
    Tracker tracker = new Tracker();
    tracker.close(null);
    ByteBuf target = Unpooled.buffer(8);
    ByteBuf buffer = new LeakAwareByteBuf(target, target, tracker, RecordingLevel.RELEASE_ONLY);
    assertThat(buffer.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }
}
