/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ReadOnlyBufferException;

/** Checks of calls that at least one of the two libraries refuses, and that change nothing. */
final class RefusalChecks {
  private RefusalChecks() {}

  /**
   * Returns whether both libraries refuse the call for faults that it has; a write can make room
   * first.
   */
  private static boolean bothRefuse(TwinCall call) {
    return call.bothThrow()
        && CallFaults.justify(call.theirs().thrown(), call)
        && CallFaults.justify(call.ours().thrown(), call)
        && (isUnchanged(call) || call.haveOnlyMoreRoom());
  }

  private static boolean isUnchanged(TwinCall call) {
    return call.isOursUnchanged()
        && call.isTheirsUnchanged()
        && TwinArguments.difference(call.arguments(), call.twin()) == null;
  }

  // Two faults

  /** Returns whether one library reports a null, and the other one another fault. */
  static boolean hasNullAndAnotherFault(TwinCall call) {
    return call.name().matches("(get|set|read|write)Bytes")
        && call.eitherThrows(NullPointerException.class)
        && bothRefuse(call);
  }

  /**
   * Returns whether, for a static function, one library reports a null and the other another fault.
   */
  static boolean isStaticWithNullAndAnotherFault(TwinCall call) {
    return call.hasNull()
        && isUnchanged(call)
        && switch (call.name()) {
          case "isText" ->
              call.theirsThrows(NullPointerException.class)
                  && call.oursThrows(IndexOutOfBoundsException.class)
                  && CallFaults.hasWrongTextRange(call);
          case "encodeString" ->
              call.theirsThrows(NullPointerException.class)
                  && call.oursThrows(IllegalArgumentException.class)
                  && CallFaults.hasWrongExtraCapacity(call);
          case "copiedBuffer" ->
              call.oursThrows(NullPointerException.class)
                  && (call.argument(0) == null
                      ? failsToMakeArray(call, call.intArgument(2))
                      : call.theirsThrows(IllegalArgumentException.class)
                          && CallFaults.hasTwoOrders(call));
          default -> false;
        };
  }

  /** Returns whether Netty fails to make an array, because no array can have so many bytes. */
  private static boolean failsToMakeArray(TwinCall call, int length) {
    return length < 0
        ? call.theirsThrows(NegativeArraySizeException.class)
        : call.theirsThrows(OutOfMemoryError.class) && length == Integer.MAX_VALUE;
  }

  /** Returns whether Netty reports the negative position in a file, and Cistern another fault. */
  static boolean namesPositionFirst(TwinCall call) {
    return call.name().matches("(get|set|write)Bytes")
        && call.theirsThrows(IllegalArgumentException.class)
        && call.hasNegativePosition()
        && (call.oursThrows(IndexOutOfBoundsException.class)
            || call.oursThrows(ReadOnlyBufferException.class))
        && bothRefuse(call);
  }

  /** Returns whether Netty reports the range, and Cistern the read-only bytes. */
  static boolean namesRangeFirst(TwinCall call) {
    return call.name().matches("set.*|write(Bytes|Zero)|ensureWritable|(get|read)Bytes")
        && call.theirsThrows(IndexOutOfBoundsException.class)
        && call.oursThrows(ReadOnlyBufferException.class)
        && bothRefuse(call);
  }

  /** Returns whether Netty reports the read-only bytes, and Cistern the range. */
  static boolean namesReadOnlyFirst(TwinCall call) {
    boolean isInOtherOrder =
        call.name().matches("write.*|reserveAndWriteUtf8|ensureWritable|getBytes")
            && call.theirsThrows(ReadOnlyBufferException.class)
            && (call.oursThrows(IndexOutOfBoundsException.class)
                || call.oursThrows(IllegalArgumentException.class))
            && bothRefuse(call);
    return isInOtherOrder || reachesReadOnlyPartFirst(call);
  }

  /** Returns whether Netty writes text until a component refuses, and Cistern reports the range. */
  private static boolean reachesReadOnlyPartFirst(TwinCall call) {
    return call.name().equals("setCharSequence")
        && DeviationChecks.isOfAComposite(call)
        && call.theirsThrows(ReadOnlyBufferException.class)
        && call.oursThrows(IndexOutOfBoundsException.class)
        && CallFaults.hasWrongRangeOfTheBuffer(call)
        && CallFaults.writesToReadOnly(call)
        && call.isOursUnchanged();
  }

  /**
   * Returns whether Netty reports that it has no array or is a slice, and Cistern that it is
   * read-only.
   */
  static boolean namesMissingFirst(TwinCall call) {
    return call.name().matches("array|arrayOffset|capacity")
        && isMissing(call)
        && call.oursThrows(ReadOnlyBufferException.class)
        && call.twin().ours().isReadOnly()
        && isUnchanged(call);
  }

  /** Returns whether Netty reports, correctly, that the buffer does not support the method. */
  private static boolean isMissing(TwinCall call) {
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    return call.theirs().thrown() != null
        && call.theirs().thrown().getClass() == UnsupportedOperationException.class
        && switch (call.name()) {
          case "array", "arrayOffset" -> !theirs.hasArray();
          case "memoryAddress" -> !theirs.hasMemoryAddress();
          case "internalNioBuffer" -> theirs.nioBufferCount() > 1;
          case "capacity" -> isSlice(theirs);
          default -> false;
        };
  }

  private static boolean isSlice(io.netty.buffer.ByteBuf theirs) {
    for (io.netty.buffer.ByteBuf buffer = theirs; buffer != null; buffer = buffer.unwrap()) {
      if (buffer.getClass().getSimpleName().endsWith("SlicedByteBuf")) {
        return true;
      }
    }
    return false;
  }

  // Nothing to move

  /** Returns whether only one of the two libraries refuses a call that would move nothing. */
  static boolean isAboutNothing(TwinCall call) {
    return isRefusedWithNothingToMove(call) || givesNothingToNull(call);
  }

  /**
   * Returns whether only Cistern refuses a call that would move nothing, for a fault that it has.
   */
  private static boolean isRefusedWithNothingToMove(TwinCall call) {
    return call.name().matches("(get|set|read|write)(Bytes|Zero)|(get|read)CharSequence")
        && CallFaults.length(call) == 0
        && call.theirs().thrown() == null
        && hasMovedNothing(call)
        && call.ours().thrown() != null
        && CallFaults.justify(call.ours().thrown(), call)
        && isUnchanged(call);
  }

  private static boolean hasMovedNothing(TwinCall call) {
    Object value = call.theirs().value();
    return value == call.twin().theirs()
        || Integer.valueOf(0).equals(value)
        || (value instanceof CharSequence text && text.isEmpty());
  }

  /** Returns whether only Netty refuses a null that would get no bytes. */
  private static boolean givesNothingToNull(TwinCall call) {
    return call.name().matches("(get|read)Bytes")
        && CallFaults.length(call) == 0
        && call.hasNull()
        && call.theirsThrows(NullPointerException.class)
        && call.ours().value() == call.twin().ours()
        && isUnchanged(call);
  }

  // Released buffers

  /**
   * Returns whether, for a released buffer, Netty reports another fault, and Cistern the release.
   */
  static boolean namesFaultOfReleased(TwinCall call) {
    return returnsReadOnlyItself(call) || namesFaultNotRelease(call);
  }

  private static boolean namesFaultNotRelease(TwinCall call) {
    return isRefusedAsReleased(call)
        && call.theirs().thrown() != null
        && (CallFaults.justify(call.theirs().thrown(), call)
            || isMissing(call)
            || hasArrayOfWrongLength(call)
            || isTextOfNoBytes(call)
            || isViewOfLess(call)
            || isOutsideOfComponents(call));
  }

  private static boolean isRefusedAsReleased(TwinCall call) {
    return call.refCnt() == 0
        && call.oursThrows(IllegalReferenceCountException.class)
        && isUnchanged(call);
  }

  private static boolean hasArrayOfWrongLength(TwinCall call) {
    return call.name().matches("toString|getCharSequence|readCharSequence")
        && (call.theirsThrows(NegativeArraySizeException.class)
            ? CallFaults.length(call) < 0
            : call.theirsThrows(OutOfMemoryError.class)
                && CallFaults.length(call) > call.capacity());
  }

  /** Returns whether Netty refuses to read text from a buffer whose memory is freed. */
  private static boolean isTextOfNoBytes(TwinCall call) {
    return call.name().matches("getCharSequence|readCharSequence")
        && call.theirsThrows(IndexOutOfBoundsException.class)
        && DeviationChecks.capacityOfTheRoot(call) == 0;
  }

  /** Returns whether a view would have indices beyond the capacity of the released buffer. */
  private static boolean isViewOfLess(TwinCall call) {
    return call.name().matches("asReadOnly|duplicate|retainedDuplicate")
        && call.theirsThrows(IndexOutOfBoundsException.class)
        && call.writerIndex() > call.twin().theirs().capacity();
  }

  /** Returns whether Netty's fixed composite found no component for the index. */
  private static boolean isOutsideOfComponents(TwinCall call) {
    return call.name().matches("get(Unsigned)?Byte|getBoolean")
        && Twin.isOfAFixedComposite(call.twin().theirs())
        && call.theirs().thrown().getClass() == IllegalStateException.class
        && CallFaults.hasWrongRange(call);
  }

  /** Returns whether Netty reports the release, and Cistern another fault of the call. */
  static boolean namesReleaseFirst(TwinCall call) {
    return call.refCnt() == 0
        && call.theirsThrows(io.netty.util.IllegalReferenceCountException.class)
        && (call.oursThrows(ReadOnlyBufferException.class)
            || call.oursThrows(NullPointerException.class)
            || call.oursThrows(IllegalArgumentException.class))
        && CallFaults.justify(call.ours().thrown(), call)
        && isUnchanged(call);
  }

  /** Returns whether Netty makes a view of a released buffer, or moves 0 bytes. */
  static boolean needsNoMemory(TwinCall call) {
    return isRefusedAsReleased(call)
        && call.theirs().thrown() == null
        && switch (call.name()) {
          case "array" -> call.theirs().value() == call.twin().theirs().array();
          case "arrayOffset" -> call.theirs().value().equals(call.twin().theirs().arrayOffset());
          case "memoryAddress" ->
              call.theirs().value().equals(call.twin().theirs().memoryAddress());
          case "asReadOnly", "duplicate", "unmodifiableBuffer" ->
              isReleasedView(call, call.readerIndex(), call.writerIndex());
          case "slice" -> isReleasedView(call, 0, lengthOrReadable(call));
          case "toString", "getCharSequence", "readCharSequence" ->
              call.theirs().value() instanceof CharSequence text
                  && text.isEmpty()
                  && lengthOrReadable(call) == 0;
          case "wrappedBuffer" -> isReleasedView(call, 0, call.writerIndex() - call.readerIndex());
          case "getBytes", "readBytes", "setBytes", "setZero", "writeBytes", "writeZero" ->
              hasMovedNothing(call) && (CallFaults.length(call) == 0 || offersNothing(call));
          default -> false;
        };
  }

  /** Returns whether a channel gets the bytes of a composite that no longer has components. */
  private static boolean offersNothing(TwinCall call) {
    return call.takesChannel() && call.twin().theirs().capacity() == 0;
  }

  private static int lengthOrReadable(TwinCall call) {
    boolean isOfAll = call.arguments().length == (call.name().equals("toString") ? 1 : 0);
    return isOfAll ? call.writerIndex() - call.readerIndex() : CallFaults.length(call);
  }

  private static boolean isReleasedView(TwinCall call, int readerIndex, int writerIndex) {
    return call.theirs().value() instanceof io.netty.buffer.ByteBuf view
        && view.refCnt() == 0
        && view.readerIndex() == readerIndex
        && view.writerIndex() == writerIndex;
  }

  /**
   * Returns whether Cistern returns the released read-only view itself, and Netty fails to make
   * another view.
   */
  private static boolean returnsReadOnlyItself(TwinCall call) {
    return call.name().equals("asReadOnly")
        && call.refCnt() == 0
        && isViewOfLess(call)
        && call.twin().ours().isReadOnly()
        && call.ours().value() == call.twin().ours()
        && isUnchanged(call);
  }
}
