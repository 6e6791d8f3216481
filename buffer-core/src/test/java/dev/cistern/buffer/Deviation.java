/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.DeviationChecks.capacityOfTheRoot;
import static dev.cistern.buffer.DeviationChecks.isOfAComposite;
import static dev.cistern.buffer.DeviationChecks.makesTheSameWithLimit;
import static dev.cistern.buffer.DeviationChecks.refusesACallWithoutEffect;
import static dev.cistern.buffer.FixedCompositeChecks.isOfAFixedComposite;

import dev.cistern.util.AsciiString;
import java.io.InputStream;
import java.nio.BufferOverflowException;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Intended differences between Cistern and Netty, each with its reason. The comparison must meet
 * every one; otherwise the entry is no longer needed.
 */
enum Deviation {
  RETAINED_VIEWS_SHARE_THE_COUNT(
      "Netty's pooled buffers give retained views a count of their own, and views of these reach "
          + "beyond them; ours share the root's count",
      call -> false), // TwinRun leaves out the consequences

  RELEASED_FAULT(
      "a released buffer says that it is released; Netty's names a wrong range or length, a missing "
          + "array, address or NIO buffer, a fixed capacity, or that it is read-only, which is also so; "
          + "a read-only buffer is its own read-only view, and Netty's swapped one fails to make one",
      RefusalChecks::namesFaultOfReleased),

  RELEASED_FIRST(
      "Netty's released buffer says that it is released before it looks at a null, or says that it is "
          + "read-only; ours says so afterwards",
      RefusalChecks::namesReleaseFirst),

  RELEASED_VIEW(
      "a released buffer refuses to make a view, and to move 0 bytes; Netty's does what needs no memory",
      RefusalChecks::needsNoMemory),

  ASCII(
      "bytes and characters above 127 are no ASCII, as in the JDK, and a pair of surrogates that "
          + "cannot be encoded is one '?'",
      EncodedText::isOfTheJdkAboveAscii),

  LONGEST_ENCODING(
      "text needs the room of its own encoding; Netty requires room for its longest possible encoding",
      EncodedText::needsNoLongestRoom),

  UNREAD_TEXT(
      "Netty reads text past the writer index, up to the capacity, and moves the reader index there",
      ReadTextChecks::readsPastTheWriterIndex),

  FOREIGN_TEXT(
      "Netty reads text past the capacity of a buffer with an array, from what is behind it in the array",
      ReadTextChecks::readsPastTheCapacity),

  TEXT_LENGTH(
      "before Netty looks at the length of text to read, it fails at the charset, which is null, or at "
          + "an array of this length; for a negative length it has another exception",
      ReadTextChecks::failsAtCharsetOrArray),

  TEXT_RANGE(
      "Netty looks at the range of text only where bytes are moved, and then throws what the JDK does",
      call ->
          call.name().matches("toString|getCharSequence")
              && call.oursThrows(IndexOutOfBoundsException.class)
              && call.isOutside(0, 1)),

  MARKS_BELOW_ZERO(
      "a mark stops at 0 when read bytes are discarded; Netty's may become negative",
      // The mark differs after a discard, or after another call that made only Cistern's mark
      // valid.
      call ->
          (call.difference().startsWith("marks: theirs ")
                  && (call.name().startsWith("discard")
                      || call.difference().matches(".*outside.*, ours (.*/)?0(/.*)?")))
              || (call.name().matches("reset(Reader|Writer)Index")
                  && call.theirs().thrown() instanceof IndexOutOfBoundsException
                  && call.ours().thrown() == null)),

  READ_ONLY_TARGET(
      "Netty writes to a read-only target where that has an array or an address",
      call ->
          call.oursThrows(ReadOnlyBufferException.class)
              && call.theirs().thrown() == null
              && call.name().matches("getBytes|readBytes")
              && call.takes(ByteBuf.class)),

  DUPLICATE_FOLLOWS(
      "Netty leaves the indices of a duplicate beyond the capacity that it has shrunk to, and reads "
          + "there, or finds no component there",
      DeviationChecks::hasIndicesInside),

  JDK_RANGE(
      "Netty lets NIO buffers, arrays and the heap find out that a range is wrong, and throws what "
          + "they do",
      call ->
          call.oursThrows(IndexOutOfBoundsException.class)
              && call.theirs().thrown() != null
              && DeviationChecks.isOfTheJdk(call.theirs().thrown())),

  EMPTY_BUFFER(
      "Netty's empty buffer looks at ranges in an order of its own",
      call ->
          call.twin().isOfTheEmptyBuffer()
              && (call.bothRefuseAnArgument() || DeviationChecks.isLenientWhenEmpty(call))),

  EMPTY_READ_ONLY(
      "a read-only view of our empty buffer, and a copy of that, have memory of one kind; Netty's have "
          + "an array, and an address, too",
      call -> call.twin().isOfTheEmptyBuffer() && DeviationChecks.hasNoMemory(call)),

  NEGATIVE_CHANNEL_LENGTH(
      "Netty takes a negative length as a way to rewind the NIO buffer that it offers a channel",
      call ->
          call.theirs().thrown() == null
              && call.oursThrows(IndexOutOfBoundsException.class)
              && call.takesChannel()
              && call.intArgument(call.arguments().length - 1) < 0),

  NEGATIVE_SLICE(
      "Netty has this exception or that for a slice or copy of negative length, by kind of buffer",
      call ->
          call.name().matches("slice|retainedSlice|copy")
              && call.theirsThrows(IllegalArgumentException.class)
              && call.oursThrows(IndexOutOfBoundsException.class)
              && call.intArgument(1) < 0),

  NEGATIVE_WRAP(
      "Netty throws what its constructors do for a wrapped part of an array of negative length",
      call ->
          call.name().equals("wrappedBuffer")
              && call.theirsThrows(IllegalArgumentException.class)
              && call.oursThrows(IndexOutOfBoundsException.class)
              && call.intArgument(2) < 0),

  HEX_DUMP_RANGE(
      "Netty's dump of a range whose end is beyond any index is made of blanks, or fails by chance",
      call ->
          call.name().equals("hexDump")
              && ((call.oursThrows(IndexOutOfBoundsException.class)
                      && DeviationChecks.isDumpOutside(call))
                  || (call.hasNull() && call.oursThrows(NullPointerException.class)))),

  UTF8_MAX_BYTES_OVERFLOW(
      "Netty's maximum number of bytes of a text overflows",
      call ->
          call.name().equals("utf8MaxBytes")
              && call.intArgument(0) > Integer.MAX_VALUE / 3
              && Integer.valueOf(Integer.MAX_VALUE).equals(call.ours().value())),

  UNPAIRED_SURROGATE(
      "Netty writes one byte of the character after half of a surrogate pair; ours are the JDK's bytes",
      call ->
          call.name().matches(".*([uU]tf8|CharSequence).*|copiedBuffer")
              && call.bothReturn()
              && DeviationChecks.hasUnpairedSurrogate(call)
              && EncodedText.isOnlyOursOfTheJdk(call)),

  CAPACITY_OF_COPIED_TEXT(
      "what is copied of a text has room for the text, and grows, where Netty's has room for the most",
      call ->
          call.bothReturn()
              && (call.takes(Charset.class) || call.name().matches("write(Utf8|Ascii)"))
              && call.hasSameReadableBytes()),

  ROOM_FOR_ASCII(
      "an AsciiString needs a byte for each character, and not the most that UTF-8 has",
      call ->
          call.name().equals("writeUtf8")
              && call.takes(ByteBuf.class)
              && call.argument(1) instanceof AsciiString
              && call.bothReturn()
              && Arrays.equals(Twin.bytes(call.twin().ours()), Twin.bytes(call.twin().theirs()))),

  TEXT_TO_A_WRAPPER(
      "text to a swapped or empty buffer is what it is to any; Netty's has '?' above 127, and looks at no "
          + "reserve",
      call ->
          (call.kind().name().startsWith("SWAPPED") || call.twin().isOfTheEmptyBuffer())
              && call.name().matches("writeAscii|reserveAndWriteUtf8|writeUtf8")
              && EncodedText.isWrittenToAWrapper(call)),

  NO_TEXT(
      "a read-only buffer refuses text that has no characters, too",
      call ->
          call.name().matches("write(Ascii|Utf8)|reserveAndWriteUtf8")
              && call.oursThrows(ReadOnlyBufferException.class)
              && Integer.valueOf(0).equals(call.theirs().value())),

  FIXED_FROM_THE_START(
      "Netty's fixed composite of buffers that were read takes their bytes from the start",
      call ->
          call.name().matches("(wrappedU|u)nmodifiableBuffer")
              && call.bothReturn()
              && DeviationChecks.returnsTheReadableBytes(call)),

  HANDED_OVER(
      "what was handed over is released where a call fails, too",
      call ->
          call.name().matches("wrapped(Unmodifiable)?Buffer|unmodifiableBuffer")
              && call.bothThrow()
              && Shown.exception(call.theirs().thrown())
                  .equals(Shown.exception(call.ours().thrown()))
              && DeviationChecks.hasReleasedBuffers(call)),

  NULL_AT_FIRST(
      "what is wrapped ends at the first null; with Netty not where that comes first",
      call ->
          call.name().equals("wrappedBuffer")
              && call.theirsThrows(NullPointerException.class)
              && call.ours().value() instanceof EmptyByteBuf),

  NEGATIVE_EXTRA(
      "room for fewer bytes than a text may have is refused, also where the text has fewer",
      call ->
          call.name().equals("encodeString")
              && call.oursThrows(IllegalArgumentException.class)
              && (call.theirs().thrown() == null
                  || call.theirsThrows(BufferOverflowException.class))
              && call.intArgument(3) < 0),

  NOTHING_TO_MOVE(
      "a wrong index or position, a null and a read-only target are refused even if there are no bytes "
          + "to move, and Netty returns; only Netty refuses a null that would get no bytes",
      RefusalChecks::isAboutNothing),

  REFUSED_LATE(
      "Netty moves the writer index by one before it refuses to write a byte to read-only bytes",
      ReadOnlyChecks::movesWriterIndexFirst),

  READ_ONLY_TEXT_ROOM(
      "a read-only buffer refuses text because it is read-only; Netty's has no room for the longest "
          + "encoding that there could be",
      ReadOnlyChecks::hasNoRoomForText),

  READ_ONLY_TEXT(
      "a read-only buffer refuses text; Netty's writes it if it has a memory address, and takes text "
          + "without characters",
      ReadOnlyChecks::writesText),

  READ_ONLY_NIO_MARKS(
      "duplicates of Netty's wrapped read-only NIO buffers start with marks where their indices are; "
          + "ours start with marks of 0, as read-only duplicates of any buffer",
      DeviationChecks::hasMarksFromTheStart),

  UNCHECKED_READS(
      "Netty does not look at every index and length on a wrapped read-only NIO buffer, and may crash "
          + "the JVM (TwinRun then calls ours only)",
      call ->
          isReadOnlyNio(call)
              && call.name().equals("internalNioBuffer")
              && call.isOutside(0, 1)
              && call.oursThrows(IndexOutOfBoundsException.class)
              && call.theirs().thrown() == null),

  READ_ONLY_NIO_REFUSES(
      "views of a wrapped read-only NIO buffer refuse to discard bytes and to ensure room; Netty's "
          + "refuse only if that would change something",
      call -> isReadOnlyNio(call) && refusesACallWithoutEffect(call)),

  READ_ONLY_NIO_COPY(
      "a copy of Netty's wrapped read-only NIO buffer grows without a limit; the limit of ours is the "
          + "capacity of the wrapped buffer",
      call ->
          isReadOnlyNio(call)
              && call.name().equals("copy")
              && makesTheSameWithLimit(call, capacityOfTheRoot(call))),

  PARTIAL_NUMBER(
      "Netty writes the bytes of a number that fit into a given array before it refuses the rest",
      call ->
          call.bothThrow()
              && call.name().matches("set(Short|Medium|Int|Long|Char|Float|Double)(LE|BE)?")
              && call.difference().startsWith("byte ")),

  STREAM_FIRST(
      "Netty's UnpooledDirectByteBuf takes bytes from a stream before it looks at the range",
      call ->
          call.kind() == TwinKind.NAMED_DIRECT
              && call.takes(InputStream.class)
              && call.oursThrows(IndexOutOfBoundsException.class)),

  ADDRESS(
      "our UnpooledDirectByteBuf has a memory address, too",
      call ->
          call.kind() == TwinKind.NAMED_DIRECT
              && call.ours().thrown() == null
              && (call.name().equals("hasMemoryAddress")
                  ? call.returns(false, true)
                  : call.name().equals("memoryAddress")
                      && call.theirsThrows(UnsupportedOperationException.class))),

  WATCHED(
      "which buffers are wrapped to be watched is each library's own affair, and a composite of ours "
          + "is watched without a wrapper",
      call -> call.kind().isLeakAware() && call.name().equals("unwrap") && call.bothReturn()),

  UNWRAPPED_READ_ONLY_NIO(
      "there is nothing to unwrap in a view of a wrapped read-only NIO buffer: what is below could be "
          + "written to",
      call ->
          call.name().equals("unwrap")
              && call.ours().value() == null
              && TwinRun.isReadOnlyNio(call.twin().theirs())),

  FIXED_IS_READ_ONLY(
      "a fixed composite buffer says that it is read-only, and its views refuse what would change "
          + "something if there were something to change; of little-endian buffers it has a swapped "
          + "view, whose copies and NIO buffers are little-endian; Netty's is little-endian itself",
      FixedCompositeChecks::isReadOnlyOrSwapped),

  FIXED_LIMITS(
      "Netty's fixed composite buffer does not look at the index of a byte, which then comes from "
          + "outside of a component or fails otherwise; of little-endian components it mixes the bytes "
          + "of a number, also when it searches or compares; what is read from it has no limit",
      FixedCompositeChecks::hasLimits),

  SEARCH_BEFORE_COMPONENT(
      "Netty's composite buffer, searched backwards, takes what its components' buffers have before "
          + "them for theirs",
      call ->
          call.name().equals("forEachByteDesc")
              && isOfAComposite(call)
              && DeviationChecks.findsTheLast(call)),

  INTERNAL_NIO_BUFFER(
      "Netty's composite buffer does not look at the range of its internal NIO buffer, nor of "
          + "what it gives a channel",
      call ->
          (call.name().equals("internalNioBuffer") || call.takesChannel())
              && isOfAComposite(call)
              && call.oursThrows(IndexOutOfBoundsException.class)
              && (call.takesChannel() ? call.isChannelRangeOutside() : call.isOutside(0, 1))),

  COPY_WITHIN(
      "Netty's composite buffer overwrites, copied to a part of itself, what it is still to copy; ours "
          + "copies as through another buffer",
      call -> call.bothReturn() && DeviationChecks.copiesWithinAtOnce(call)),

  REFUSED_AS_A_WHOLE(
      "a composite writes nothing if one of its components refuses; Netty's writes to those before it, "
          + "and returns if it has no more to write",
      ReadOnlyChecks::writesUpToReadOnlyPart),

  REFUSED_BY_NOTHING(
      "a read-only component without bytes refuses nothing; Netty's does beside what is written",
      call ->
          isOfAComposite(call)
              && (call.name().matches("((set|write)(Bytes|Zero|CharSequence))|discard.*")
                  || call.sharesRoot())
              && call.theirsThrows(ReadOnlyBufferException.class)
              && call.ours().thrown() == null),

  RELEASED_COMPOSITE(
      "a released composite has no components any more",
      call ->
          call.refCnt() == 0
              && isOfAComposite(call)
              && call.bothReturn()
              && call.name().matches("hasArray|hasMemoryAddress|isDirect|nioBufferCount")),

  GUESSED_RESERVE(
      "Netty writes text past the room that was reserved for it, and may crash the JVM",
      call -> false), // TwinRun calls only Cistern's function

  NULL_AND_ANOTHER_FAULT(
      "of a null and another fault, either may be named", RefusalChecks::hasNullAndAnotherFault),

  STATIC_NULL_AND_FAULT(
      "of a null and another fault, Netty's static functions name the null charset or allocator, the two "
          + "byte orders or the negative length; ours name the range, the extra capacity, or the null",
      RefusalChecks::isStaticWithNullAndAnotherFault),

  POSITION_FIRST(
      "Netty looks at the position in a file first; we look at the range of the buffer, and whether it "
          + "is read-only",
      RefusalChecks::namesPositionFirst),

  RANGE_FIRST(
      "of a wrong range and read-only bytes, Netty names the range, and we the read-only bytes",
      RefusalChecks::namesRangeFirst),

  READ_ONLY_FIRST(
      "of read-only bytes and a wrong range, Netty names the read-only bytes, and we the range",
      RefusalChecks::namesReadOnlyFirst),

  MISSING_FIRST(
      "a read-only buffer without an array, or with a fixed capacity, says that it is read-only; "
          + "Netty's says that it does not support the call",
      RefusalChecks::namesMissingFirst),

  FIXED_COMPOSITE_DIRECT(
      "Netty's fixed composite does not look at its first component to say whether it is direct, nor "
          + "does one of which it is a part",
      call ->
          (isOfAFixedComposite(call) || isOfAComposite(call))
              && call.name().equals("isDirect")
              && call.returns(true, false)),

  EMPTY_NIO_BUFFERS(
      "the NIO buffers of a range leave out empty components; and all empty ones of Netty's are one, "
          + "whose order a swapped view changes",
      call -> call.name().equals("nioBuffers") && call.returnsTheSameButForEmpty());

  /** Deviations that only static functions meet. */
  static final Set<Deviation> OF_STATICS =
      EnumSet.of(
          GUESSED_RESERVE,
          NEGATIVE_WRAP,
          HEX_DUMP_RANGE,
          UTF8_MAX_BYTES_OVERFLOW,
          UNPAIRED_SURROGATE,
          CAPACITY_OF_COPIED_TEXT,
          ROOM_FOR_ASCII,
          TEXT_TO_A_WRAPPER,
          NO_TEXT,
          FIXED_FROM_THE_START,
          HANDED_OVER,
          NULL_AT_FIRST,
          NEGATIVE_EXTRA,
          STATIC_NULL_AND_FAULT);

  /** Deviations that buffers meet. */
  static final Set<Deviation> OF_BUFFERS =
      Arrays.stream(values()).filter(one -> !OF_STATICS.contains(one)).collect(Collectors.toSet());

  private final String reason;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final Predicate<TwinCall> explains;

  @SuppressWarnings("ImmutableEnumChecker") // a count of the run
  private final AtomicLong met = new AtomicLong();

  @SuppressWarnings("ImmutableEnumChecker") // the results of the run
  private final Set<String> results = new ConcurrentSkipListSet<>();

  Deviation(String reason, Predicate<TwinCall> explains) {
    this.reason = reason;
    this.explains = explains;
  }

  private static boolean isReadOnlyNio(TwinCall call) {
    return TwinRun.isReadOnlyNio(call.twin().theirs());
  }

  /**
   * Returns the deviation that explains the difference after a call, and counts it; null if none
   * does.
   */
  static Deviation of(TwinCall call) {
    for (Deviation deviation : values()) {
      if (deviation.explains.test(call)) {
        deviation.meet();
        deviation.results.add(call.results());
        return deviation;
      }
    }
    return null;
  }

  void meet() {
    met.incrementAndGet();
  }

  long timesMet() {
    return met.get();
  }

  /** Returns those of the given deviations that no call has met. */
  static Set<Deviation> unmet(Set<Deviation> some) {
    return some.stream().filter(one -> one.timesMet() == 0).collect(Collectors.toSet());
  }

  /** Returns each method that met the deviation, with the kind of result of each library. */
  Set<String> results() {
    return results;
  }

  String reason() {
    return reason;
  }
}
