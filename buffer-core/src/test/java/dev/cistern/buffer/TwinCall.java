/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.util.AsciiString;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** One call on Netty's object and on Cistern's: its arguments and its outcomes. */
final class TwinCall {
  private static final Set<String> OF_MEMORY =
      Set.of("alloc", "unwrap", "array", "arrayOffset", "memoryAddress", "maxFastWritableBytes");

  private final MethodPair method;
  private final Both[] arguments;
  private final Twin twin;
  private final Object ourTarget;
  private final int capacity;
  private final int readerIndex;
  private final int writerIndex;
  private final int refCnt;

  /** All bytes of Cistern's buffer before the call; empty for a released buffer. */
  private final byte[] bytesBefore;

  private MethodPair.Outcome theirs;
  private MethodPair.Outcome ours;
  private String difference;

  /** Creates a call on a buffer; if {@code twin} is null, on another object, or a static call. */
  TwinCall(MethodPair method, Both[] arguments, Twin twin, Object ourTarget) {
    this.method = method;
    this.arguments = arguments;
    this.twin = twin;
    this.ourTarget = ourTarget;
    capacity = twin == null ? 0 : twin.ours().capacity();
    readerIndex = twin == null ? 0 : twin.ours().readerIndex();
    writerIndex = twin == null ? 0 : twin.ours().writerIndex();
    refCnt = twin == null ? 0 : twin.ours().refCnt();
    bytesBefore = refCnt > 0 ? Twin.bytes(twin.ours(), 0, capacity) : new byte[0];
  }

  /** Returns whether the call copies bytes from one place of a composite to another. */
  boolean copiesWithinAComposite() {
    return refCnt > 0
        && TwinArguments.root(twin.ours()) instanceof AbstractCompositeByteBuf
        && name().matches("[gs]etBytes")
        && MethodPair.isInstance(method.ours())
        && sharesRoot();
  }

  /** Returns whether an argument is Cistern's buffer, or a view of the same memory. */
  boolean sharesRoot() {
    return Arrays.stream(arguments)
        .anyMatch(argument -> TwinArguments.isViewOf(argument.ours(), twin));
  }

  /** Calls both methods, and compares their results or exceptions. */
  void run(Object theirTarget) {
    theirs = MethodPair.call(method.theirs(), theirTarget, TwinArguments.theirs(arguments));
    ours = MethodPair.call(method.ours(), ourTarget, TwinArguments.ours(arguments));
    if (!isSame()) {
      difference = "theirs " + show(theirs) + ", ours " + show(ours);
    }
  }

  /** Returns whether the call reads a number outside of memory that Netty does not check. */
  boolean mayCrashNetty() {
    return kind() == TwinKind.WRAPPED_READ_ONLY_DIRECT_NIO
        && name()
            .matches("get(Unsigned)?(Byte|Short|Int|Long|Medium|Char|Float|Double|Boolean)(LE)?")
        && isRangeOutside(intArgument(0), Long.BYTES);
  }

  /** Returns whether Netty may write text beyond the reserved room, and outside of the memory. */
  boolean guessesReserve() {
    return name().equals("reserveAndWriteUtf8")
        && argument(1) instanceof CharSequence text
        && intArgument(arguments.length - 1) < 3 * text.length();
  }

  /**
   * Calls Cistern's method only; it must refuse the call unless the index is within the capacity.
   */
  void runCisternOnly() {
    ours = MethodPair.call(method.ours(), ourTarget, TwinArguments.ours(arguments));
    int index = intArgument(0);
    if (ours.thrown() == null && (index < 0 || index >= capacity)) {
      difference = "ours reads outside: " + show(ours);
    }
  }

  private boolean isSame() {
    if (theirs.thrown() != null || ours.thrown() != null) {
      return theirs.thrown() != null
          && ours.thrown() != null
          && Shown.exception(theirs.thrown()).equals(Shown.exception(ours.thrown()));
    }
    Object value = ours.value();
    if (twin != null && OF_MEMORY.contains(name())) {
      return isSameMemory();
    } else if (value == ourTarget && twin != null && theirs.value() == twin.theirs()) {
      return true;
    } else if (name().equals("compareTo") || name().equals("compare")) {
      return Integer.signum((int) theirs.value()) == Integer.signum((int) value);
    }
    return Objects.equals(theirs.value(), value)
        || Shown.of(theirs.value()).equals(Shown.of(value));
  }

  /**
   * Compares results that refer to memory. The allocator, the location and the root can differ by
   * library.
   */
  private boolean isSameMemory() {
    return switch (name()) {
      case "array" -> isSameArray((byte[]) theirs.value(), (byte[]) ours.value());
      case "memoryAddress" -> isSameAt((long) theirs.value(), (long) ours.value());
      case "maxFastWritableBytes" -> isFast((int) theirs.value(), (int) ours.value());
      default -> (theirs.value() == null) == (ours.value() == null);
    };
  }

  /** Returns whether each array has the buffer's bytes from its offset on. */
  private boolean isSameArray(byte[] their, byte[] our) {
    if (refCnt == 0) {
      return true;
    }
    int from = twin.theirs().arrayOffset();
    int fromOurs = twin.ours().arrayOffset();
    return Arrays.equals(
            Arrays.copyOfRange(their, from, from + capacity),
            Twin.bytes(twin.theirs(), 0, capacity))
        && Arrays.equals(
            Arrays.copyOfRange(our, fromOurs, fromOurs + capacity),
            Twin.bytes(twin.ours(), 0, capacity));
  }

  /** Returns whether each address has the buffer's bytes. */
  private boolean isSameAt(long their, long our) {
    return refCnt == 0
        || (Arrays.equals(bytesAt(their), Twin.bytes(twin.theirs(), 0, capacity))
            && Arrays.equals(bytesAt(our), Twin.bytes(twin.ours(), 0, capacity)));
  }

  private byte[] bytesAt(long address) {
    byte[] bytes = new byte[capacity];
    MemoryAccess.copy(null, address, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, capacity);
    return bytes;
  }

  /** Compares the bytes that fit without a move, for which pools can differ. */
  private boolean isFast(int their, int our) {
    return twin.isPooled()
        ? our >= capacity - writerIndex && our <= twin.ours().maxCapacity() - writerIndex
        : their == our;
  }

  private static String show(MethodPair.Outcome outcome) {
    return outcome.thrown() == null ? Shown.of(outcome.value()) : "throws " + outcome.thrown();
  }

  /** Records that the two buffers differ after the call, unless a difference is already known. */
  void differ(String how) {
    if (difference == null) {
      difference = how;
    }
  }

  void forgetDifference() {
    difference = null;
  }

  String difference() {
    return difference;
  }

  String name() {
    return method.name();
  }

  MethodPair method() {
    return method;
  }

  Both[] arguments() {
    return arguments;
  }

  /** Returns Cistern's argument at a position. */
  Object argument(int i) {
    return arguments[i].ours();
  }

  int intArgument(int i) {
    return i < arguments.length && arguments[i].ours() instanceof Integer number ? number : 0;
  }

  Twin twin() {
    return twin;
  }

  TwinKind kind() {
    return twin == null ? null : twin.kind();
  }

  MethodPair.Outcome theirs() {
    return theirs;
  }

  MethodPair.Outcome ours() {
    return ours;
  }

  boolean theirsThrows(Class<? extends Throwable> type) {
    return type.isInstance(theirs.thrown());
  }

  boolean oursThrows(Class<? extends Throwable> type) {
    return type.isInstance(ours.thrown());
  }

  boolean eitherThrows(Class<? extends Throwable> type) {
    return theirsThrows(type) || oursThrows(type);
  }

  /** Returns the capacity of Cistern's buffer before the call. */
  int capacity() {
    return capacity;
  }

  int readerIndex() {
    return readerIndex;
  }

  int writerIndex() {
    return writerIndex;
  }

  int refCnt() {
    return refCnt;
  }

  byte[] bytesBefore() {
    return bytesBefore;
  }

  /** Returns whether Cistern's buffer has the same state as before the call. */
  boolean isOursUnchanged() {
    ByteBuf buffer = twin.ours();
    return buffer.readerIndex() == readerIndex
        && buffer.writerIndex() == writerIndex
        && buffer.refCnt() == refCnt
        && (refCnt == 0 || Arrays.equals(Twin.bytes(buffer, 0, buffer.capacity()), bytesBefore));
  }

  /** Returns whether Netty's buffer has the same state as before the call. */
  boolean isTheirsUnchanged() {
    io.netty.buffer.ByteBuf buffer = twin.theirs();
    return buffer.readerIndex() == readerIndex
        && buffer.writerIndex() == writerIndex
        && hasTheirBytesOfBefore();
  }

  /** Returns whether Cistern's buffer has only made room since the call, as Netty's has. */
  boolean hasOursOnlyMoreRoom() {
    ByteBuf buffer = twin.ours();
    return name().startsWith("write")
        && buffer.readerIndex() == readerIndex
        && buffer.writerIndex() == writerIndex
        && buffer.capacity() > capacity
        && buffer.capacity() == twin.theirs().capacity()
        && Arrays.equals(Twin.bytes(buffer, 0, capacity), bytesBefore);
  }

  /** Returns whether the only change to both buffers is the same new room. */
  boolean haveOnlyMoreRoom() {
    return hasOursOnlyMoreRoom()
        && twin.theirs().readerIndex() == readerIndex
        && twin.theirs().writerIndex() == writerIndex
        && Arrays.equals(Twin.bytes(twin.theirs(), 0, capacity), bytesBefore);
  }

  boolean hasTheirBytesOfBefore() {
    io.netty.buffer.ByteBuf buffer = twin.theirs();
    return refCnt == 0 || Arrays.equals(Twin.bytes(buffer, 0, buffer.capacity()), bytesBefore);
  }

  boolean hasNull() {
    for (Both argument : arguments) {
      Object value = argument.ours();
      if (value == null
          || (value instanceof Object[] array && Arrays.asList(array).contains(null))) {
        return true;
      }
    }
    return false;
  }

  boolean takes(Class<?> type) {
    return List.of(method.ours().getParameterTypes()).contains(type);
  }

  boolean hasNegativePosition() {
    for (Both argument : arguments) {
      if (argument.ours() instanceof Long position && position < 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a text among the arguments or results has characters beyond ASCII. */
  boolean hasTextAbove127() {
    for (Both argument : arguments) {
      if (isTextAbove127(argument.ours())) {
        return true;
      }
    }
    return isTextAbove127(theirs.value()) || isTextAbove127(ours.value());
  }

  private static boolean isTextAbove127(Object value) {
    return value instanceof CharSequence text && text.chars().anyMatch(c -> c > 127);
  }

  /**
   * Returns whether an argument is an {@link AsciiString}, which can have characters beyond ASCII.
   */
  boolean hasAsciiString() {
    for (Both argument : arguments) {
      if (argument.ours() instanceof AsciiString) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the buffer, or one among the arguments, is read-only. */
  boolean isOfAReadOnlyBuffer() {
    boolean is = twin != null && twin.ours().isReadOnly();
    for (Both argument : arguments) {
      is |= argument.ours() instanceof ByteBuf buffer && buffer.isReadOnly();
      is |= argument.ours() instanceof ByteBuffer buffer && buffer.isReadOnly();
    }
    return is;
  }

  /** Returns whether both return the same NIO buffers, apart from empty ones. */
  boolean returnsTheSameButForEmpty() {
    return bothReturn()
        && theirs.value() instanceof ByteBuffer[] their
        && ours.value() instanceof ByteBuffer[] our
        && notEmpty(their).equals(notEmpty(our));
  }

  private static List<ByteBuffer> notEmpty(ByteBuffer... buffers) {
    return Arrays.stream(buffers).filter(ByteBuffer::hasRemaining).toList();
  }

  /** Returns whether both return buffers with the same readable bytes. */
  boolean hasSameReadableBytes() {
    return ours.value() instanceof ByteBuf buffer
        && theirs.value() instanceof io.netty.buffer.ByteBuf other
        && Arrays.equals(Twin.bytes(buffer), Twin.bytes(other));
  }

  boolean has(Object value) {
    for (Both argument : arguments) {
      if (value.equals(argument.ours())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the called method owns the buffers among the arguments from now on, even if it
   * fails.
   */
  boolean takesOwnership() {
    return name().matches("add(Flattened)?Components?|wrapped(Unmodifiable)?Buffer");
  }

  boolean movesMarks() {
    return name().startsWith("discard") || name().startsWith("mark") || name().equals("capacity");
  }

  boolean writes() {
    return name().startsWith("set") || name().startsWith("write");
  }

  boolean bothReturn() {
    return theirs.thrown() == null && ours.thrown() == null;
  }

  /** Returns whether both calls return, with these values. */
  boolean returns(Object theirValue, Object ourValue) {
    return bothReturn() && theirValue.equals(theirs.value()) && ourValue.equals(ours.value());
  }

  /** Returns the name of the method and the kind of each result. */
  String results() {
    return name() + ": theirs " + sort(theirs) + ", ours " + sort(ours);
  }

  private static String sort(MethodPair.Outcome outcome) {
    if (outcome == null) {
      return "not called";
    } else if (outcome.thrown() != null) {
      return Shown.exception(outcome.thrown());
    }
    boolean isShort = outcome.value() == null || outcome.value() instanceof Boolean;
    return isShort ? String.valueOf(outcome.value()) : "a value";
  }

  /** Returns whether both refuse an argument, each for the fault that it finds first. */
  boolean bothRefuseAnArgument() {
    return refusesAnArgument(theirs.thrown()) && refusesAnArgument(ours.thrown());
  }

  /** Returns whether one refuses an argument or a write, and the other one returns. */
  boolean onlyOneRefuses() {
    Throwable thrown = theirs.thrown() == null ? ours.thrown() : theirs.thrown();
    return (theirs.thrown() == null) != (ours.thrown() == null)
        && (refusesAnArgument(thrown) || thrown instanceof ReadOnlyBufferException);
  }

  private static boolean refusesAnArgument(Throwable thrown) {
    return thrown instanceof IndexOutOfBoundsException
        || thrown instanceof IllegalArgumentException
        || thrown instanceof NullPointerException;
  }

  boolean bothThrow() {
    return theirs.thrown() != null && ours.thrown() != null;
  }

  /**
   * Returns whether the range given by two of the arguments is out of the bounds of Cistern's
   * buffer.
   */
  boolean isOutside(int indexArgument, int lengthArgument) {
    int index = intArgument(indexArgument);
    return isRangeOutside(index, intArgument(lengthArgument));
  }

  /** Returns whether a range is out of the bounds of Cistern's buffer. */
  boolean isRangeOutside(int index, int length) {
    return index < 0 || length < 0 || (long) index + length > capacity;
  }

  /**
   * Returns whether the range that a channel reads or writes is out of the bounds of the buffer.
   */
  boolean isChannelRangeOutside() {
    int length = intArgument(arguments.length - 1);
    return switch (name()) {
      case "readBytes" -> length < 0 || length > writerIndex - readerIndex;
      case "writeBytes" -> length < 0 || length > capacity - writerIndex;
      default -> isRangeOutside(intArgument(0), length);
    };
  }

  /** Returns whether both have the same bytes up to the same writer index. */
  boolean hasSameBytesToTheWriterIndex() {
    int end = twin.ours().writerIndex();
    return twin.theirs().writerIndex() == end
        && end <= Math.min(twin.ours().capacity(), twin.theirs().capacity())
        && Arrays.equals(Twin.bytes(twin.ours(), 0, end), Twin.bytes(twin.theirs(), 0, end));
  }

  boolean takesChannel() {
    return takes(GatheringByteChannel.class)
        || takes(ScatteringByteChannel.class)
        || takes(FileChannel.class);
  }

  /** Writes to returned NIO buffers, so that the comparison shows whether they share the bytes. */
  void touchReturnedNioBuffers() {
    if (ours.value() instanceof ByteBuffer buffer && theirs.value() instanceof ByteBuffer other) {
      if (buffer.hasRemaining() && !buffer.isReadOnly() && !other.isReadOnly()) {
        buffer.put(buffer.position(), (byte) 0x5A);
        other.put(other.position(), (byte) 0x5A);
      }
    }
  }

  @Override
  public String toString() {
    List<String> shown = new ArrayList<>();
    for (Both argument : arguments) {
      shown.add(Shown.of(argument.ours()));
    }
    String before = twin == null ? "" : readerIndex + "/" + writerIndex + "/" + capacity + " of ";
    String on = twin == null ? "" : twin.kind() + " depth " + twin.depth() + ": ";
    return on + before + name() + shown + (difference == null ? "" : "\n    " + difference);
  }
}
