/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.DeviationChecks.makesTheSameWithLimit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Checks of calls on fixed composites for which a {@link Deviation} exists. */
@SuppressWarnings("deprecation") // order() is deprecated
final class FixedCompositeChecks {
  private FixedCompositeChecks() {}

  static boolean isOfAFixedComposite(TwinCall call) {
    return Twin.isOfAFixedComposite(call.twin().theirs());
  }

  /**
   * Returns whether Netty's result is that of a read-only buffer or of a swapped view, and
   * Cistern's is not, or the reverse.
   */
  static boolean isReadOnlyOrSwapped(TwinCall call) {
    return isOfAFixedComposite(call)
        && (DeviationChecks.refusesACallWithoutEffect(call)
            || (call.name().equals("isReadOnly") && call.returns(false, true))
            || (call.name().equals("isWritable") && call.returns(true, false))
            || (call.name().equals("ensureWritable") && call.returns(0, 1))
            || isSwappedView(call));
  }

  /**
   * Returns whether only Cistern checks the index of a byte, considers the byte order, or sets a
   * limit.
   */
  static boolean hasLimits(TwinCall call) {
    return isOfAFixedComposite(call)
        && ((call.name().matches("get(Unsigned)?Byte|getBoolean")
                && call.oursThrows(IndexOutOfBoundsException.class)
                && (call.intArgument(0) < 0 || call.intArgument(0) >= call.capacity()))
            || (isOfLittleEndianComponents(call)
                && (isNumberOfTheBytes(call) || isResultOfTheBytes(call)))
            || (call.name().equals("readBytes")
                && makesTheSameWithLimit(call, call.twin().ours().maxCapacity())));
  }

  // Fixed composites of little-endian buffers: Netty's is little-endian; Cistern's has a swapped
  // view

  private static boolean isOfLittleEndianComponents(TwinCall call) {
    io.netty.buffer.ByteBuf buffer = call.twin().theirs();
    while (buffer.unwrap() != null) {
      buffer = buffer.unwrap();
    }
    return Twin.isOfAFixedComposite(buffer) && buffer.order() == ByteOrder.LITTLE_ENDIAN;
  }

  /** Returns whether one library's result is that of a swapped view, and the other's is not. */
  private static boolean isSwappedView(TwinCall call) {
    boolean isOurs = call.twin().ours() instanceof SwappedByteBuf;
    return isOfLittleEndianComponents(call)
        && switch (call.name()) {
          case "unwrap" ->
              call.bothReturn()
                  && (call.theirs().value() == null) == isOurs
                  && (call.ours().value() == null) != isOurs;
          case "internalNioBuffer" ->
              isOurs
                  ? call.theirsThrows(UnsupportedOperationException.class)
                      && isNioBufferOfTheRange(call)
                  : call.oursThrows(UnsupportedOperationException.class)
                      && call.theirs().value() instanceof ByteBuffer;
          case "copy", "readBytes" -> isOurs && makesTheSameLittleEndian(call);
          default -> false;
        };
  }

  /**
   * Returns whether the call made buffers of the same bytes, but only Cistern's is little-endian.
   */
  private static boolean makesTheSameLittleEndian(TwinCall call) {
    return call.theirs().value() instanceof io.netty.buffer.ByteBuf theirs
        && call.ours().value() instanceof ByteBuf ours
        && ours.refCnt() > 0
        && theirs.order() == ByteOrder.BIG_ENDIAN
        && ours.order() == ByteOrder.LITTLE_ENDIAN
        && Shown.of(theirs.order(ByteOrder.LITTLE_ENDIAN)).equals(Shown.of(ours));
  }

  /** Returns whether Cistern's result is a NIO buffer of the bytes of the range. */
  private static boolean isNioBufferOfTheRange(TwinCall call) {
    return call.ours().value() instanceof ByteBuffer ours
        && ours.equals(
            ByteBuffer.wrap(
                Twin.bytes(call.twin().ours(), call.intArgument(0), call.intArgument(1))));
  }

  /**
   * Returns whether Cistern's result is the number that the bytes have in the order of the call.
   */
  private static boolean isNumberOfTheBytes(TwinCall call) {
    if (!call.name().matches("(get|read)(Unsigned)?(Short|Medium|Int|Long|Char|Float|Double)(LE)?")
        || !call.bothReturn()) {
      return false;
    }
    String type = call.name().replaceAll("^(get|read)|LE$", "");
    int index = call.name().startsWith("get") ? call.intArgument(0) : call.readerIndex();
    ByteBuf ours = call.twin().ours();
    ByteBuffer bytes = ByteBuffer.wrap(Twin.bytes(ours, index, width(type)));
    bytes.order(call.name().endsWith("LE") ? ByteOrder.LITTLE_ENDIAN : ours.order());
    return number(type, bytes).equals(call.ours().value());
  }

  /** Returns whether Cistern's result is that of the same call on a plain buffer of the bytes. */
  private static boolean isResultOfTheBytes(TwinCall call) {
    if (!call.name().matches("bytesBefore|indexOf|hashCode|equals|compareTo")
        || !call.bothReturn()) {
      return false;
    }
    ByteBuf ours = call.twin().ours();
    ByteBuf plain = Unpooled.wrappedBuffer(Twin.bytes(ours, 0, ours.capacity()));
    plain.setIndex(ours.readerIndex(), ours.writerIndex());
    Object[] arguments = TwinArguments.ours(call.arguments());
    Object expected = MethodPair.call(call.method().ours(), plain, arguments).value();
    return call.ours().value().equals(expected);
  }

  static int width(String type) {
    return switch (type) {
      case "Byte", "UnsignedByte", "Boolean" -> 1;
      case "Short", "UnsignedShort", "Char" -> 2;
      case "Medium", "UnsignedMedium" -> 3;
      case "Int", "UnsignedInt", "Float" -> 4;
      default -> 8;
    };
  }

  private static Object number(String type, ByteBuffer bytes) {
    return switch (type) {
      case "Short" -> bytes.getShort(0);
      case "UnsignedShort" -> Short.toUnsignedInt(bytes.getShort(0));
      case "Char" -> bytes.getChar(0);
      case "Medium" -> unsignedMedium(bytes) << 8 >> 8;
      case "UnsignedMedium" -> unsignedMedium(bytes);
      case "Int" -> bytes.getInt(0);
      case "UnsignedInt" -> Integer.toUnsignedLong(bytes.getInt(0));
      case "Float" -> bytes.getFloat(0);
      case "Double" -> bytes.getDouble(0);
      default -> bytes.getLong(0);
    };
  }

  private static int unsignedMedium(ByteBuffer bytes) {
    boolean isLittle = bytes.order() == ByteOrder.LITTLE_ENDIAN;
    int high = bytes.get(isLittle ? 2 : 0) & 0xFF;
    int low = bytes.get(isLittle ? 0 : 2) & 0xFF;
    return high << 16 | (bytes.get(1) & 0xFF) << 8 | low;
  }
}
