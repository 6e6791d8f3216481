/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import dev.cistern.testing.TestLength;
import dev.cistern.util.AsciiString;
import dev.cistern.util.CharsetUtil;
import dev.cistern.util.IllegalReferenceCountException;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of {@link ByteBufUtil}, against Netty 4.1's class unless the two differ on purpose. */
@Tag("D2")
@ExtendWith(PoolCheck.class)
class ByteBufUtilTest {
  private static final int ROUNDS = TestLength.choose(200, 1_000, 20_000);

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  private byte[] anyBytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static io.netty.buffer.ByteBuf theirs(byte[] bytes) {
    return io.netty.buffer.Unpooled.wrappedBuffer(bytes);
  }

  @EveryKind(readsOnly = true)
  void dumpsInHexadecimalAsNettyDoes(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = anyBytes(70);
      int start = random.nextInt(bytes.length + 1);
      int length = random.nextInt(bytes.length - start + 1);
      ByteBuf ours = kind.of(bytes);
      io.netty.buffer.ByteBuf theirs = theirs(bytes);
      String as = "seed " + seed + ", round " + round;
      String dump = ByteBufUtil.hexDump(ours);
      assertThat(dump).as(as).isEqualTo(io.netty.buffer.ByteBufUtil.hexDump(theirs));
      assertThat(ByteBufUtil.hexDump(bytes)).as(as).isEqualTo(dump);
      assertThat(ByteBufUtil.decodeHexDump(dump)).as(as).isEqualTo(bytes);
      assertThat(ByteBufUtil.hexDump(ours, start, length))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.hexDump(theirs, start, length))
          .isEqualTo(ByteBufUtil.hexDump(bytes, start, length));
      assertThat(ByteBufUtil.decodeHexDump(dump, 2 * start, 2 * length))
          .as(as)
          .isEqualTo(Arrays.copyOfRange(bytes, start, start + length));
      assertThat(ByteBufUtil.prettyHexDump(ours))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.prettyHexDump(theirs));
      StringBuilder table = new StringBuilder("x");
      ByteBufUtil.appendPrettyHexDump(table, ours, start, length);
      assertThat(table.toString())
          .as(as)
          .isEqualTo("x" + io.netty.buffer.ByteBufUtil.prettyHexDump(theirs, start, length));
      ours.release();
    }
  }

  @Test
  void refusesTextThatIsNotHexadecimal() {
    assertThatIllegalArgumentException().isThrownBy(() -> ByteBufUtil.decodeHexDump("abc"));
    assertThatIllegalArgumentException().isThrownBy(() -> ByteBufUtil.decodeHexDump("a\u0661"));
    assertThatIllegalArgumentException().isThrownBy(() -> ByteBufUtil.decodeHexByte("0g", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> ByteBufUtil.decodeHexDump("ab", 0, -2));
    assertThatThrownBy(() -> ByteBufUtil.decodeHexDump("ab", 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(ByteBufUtil.decodeHexDump("0aBfFF")).containsExactly(0x0A, (byte) 0xBF, -1);
  }

  @EveryKind
  void refusesRangesOutsideOfTheBuffer(BufferKind kind) {
    ByteBuf buffer = kind.of(new byte[5]);
    assertThatIllegalArgumentException().isThrownBy(() -> ByteBufUtil.hexDump(buffer, 0, -1));
    assertThatThrownBy(() -> ByteBufUtil.hexDump(buffer, 1, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.prettyHexDump(buffer, 1, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.getBytes(buffer, 1, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.getBytes(buffer, 1, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.isText(buffer, 1, 5, CharsetUtil.UTF_8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.copy(new AsciiString("abc"), 1, buffer, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.writeUtf8(buffer, "abc", 2, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ByteBufUtil.utf8Bytes("abc", 0, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @EveryKind(readsOnly = true)
  void comparesAndHashesAsNettyDoes(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] a = anyBytes(40);
      byte[] b = random.nextBoolean() ? a.clone() : anyBytes(40);
      if (b.length > 0 && random.nextBoolean()) {
        b[random.nextInt(b.length)]++;
      }
      ByteBuf x = kind.of(a);
      ByteBuf y = TestAllocators.UNPOOLED.directBuffer(b.length).writeBytes(b);
      String as = "seed " + seed + ", round " + round;
      int theirs = io.netty.buffer.ByteBufUtil.compare(theirs(a), theirs(b));
      assertThat(Integer.signum(ByteBufUtil.compare(x, y)))
          .as(as)
          .isEqualTo(Integer.signum(theirs));
      assertThat(ByteBufUtil.equals(x, y)).as(as).isEqualTo(Arrays.equals(a, b));
      assertThat(ByteBufUtil.hashCode(x))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.hashCode(theirs(a)));
      if (a.length > 0 && b.length > 0) {
        int i = random.nextInt(a.length);
        int j = random.nextInt(b.length);
        int length = random.nextInt(20);
        assertThat(ByteBufUtil.equals(x, i, y, j, length))
            .as(as)
            .isEqualTo(io.netty.buffer.ByteBufUtil.equals(theirs(a), i, theirs(b), j, length));
      }
      x.release();
      y.release();
    }
  }

  @EveryKind(readsOnly = true)
  @Tag("B9")
  void findsANeedleAsNettyDoes(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] haystack = new byte[random.nextInt(80)];
      byte[] needle = new byte[random.nextInt(6)];
      int values = random.nextInt(1, 4);
      Arrays.setAll(new Object[haystack.length], i -> haystack[i] = (byte) random.nextInt(values));
      Arrays.setAll(new Object[needle.length], i -> needle[i] = (byte) random.nextInt(values));
      ByteBuf ours = kind.of(haystack);
      io.netty.buffer.ByteBuf theirs = theirs(haystack);
      int skipped = random.nextInt(haystack.length + 1);
      ours.skipBytes(skipped);
      theirs.skipBytes(skipped);
      ByteBuf wanted = TestAllocators.UNPOOLED.heapBuffer().writeZero(3).writeBytes(needle);
      wanted.skipBytes(3);
      assertThat(ByteBufUtil.indexOf(wanted, ours))
          .as(
              "seed %d, round %d: %s in %s from %d",
              seed, round, Arrays.toString(needle), Arrays.toString(haystack), skipped)
          .isEqualTo(io.netty.buffer.ByteBufUtil.indexOf(theirs(needle), theirs));
      ours.release();
      wanted.release();
    }
    assertThat(ByteBufUtil.indexOf(null, null)).isEqualTo(-1);
  }

  /** Tests the search time: a search that compares every position would read about 10^11 bytes. */
  @Test
  @Tag("B9")
  void findsANeedleInLinearTime() {
    int length = 1 << 20;
    ByteBuf haystack = TestAllocators.UNPOOLED.directBuffer(length).writeZero(length);
    ByteBuf needle = TestAllocators.UNPOOLED.directBuffer(length / 2).writeZero(length / 2 - 1);
    needle.writeByte(1);
    assertThat(ByteBufUtil.indexOf(needle, haystack)).isEqualTo(-1);
    haystack.setByte(length - 1, 1);
    assertThat(ByteBufUtil.indexOf(needle, haystack)).isEqualTo(length / 2);
    haystack.release();
    needle.release();
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN)
  void turnsBytesRoundAndWritesBigEndian(BufferKind kind) {
    ByteBuf ours = kind.buffer(20);
    io.netty.buffer.ByteBuf theirs = io.netty.buffer.Unpooled.buffer(20, 20).setZero(0, 20);
    for (int round = 0; round < 200; round++) {
      int value = random.nextInt();
      String as = "seed " + seed + ", " + value;
      assertThat(ByteBufUtil.swapShort((short) value))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.swapShort((short) value));
      assertThat(ByteBufUtil.swapMedium(value))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.swapMedium(value));
      assertThat(ByteBufUtil.swapInt(value)).as(as).isEqualTo(Integer.reverseBytes(value));
      assertThat(ByteBufUtil.swapLong(~(long) value)).isEqualTo(Long.reverseBytes(~(long) value));
      ours.clear();
      theirs.clear();
      ByteBufUtil.writeShortBE(ours, value);
      ByteBufUtil.writeMediumBE(ours, value);
      ByteBufUtil.setShortBE(ours, 9, value);
      io.netty.buffer.ByteBufUtil.writeShortBE(theirs, value);
      io.netty.buffer.ByteBufUtil.writeMediumBE(theirs, value);
      io.netty.buffer.ByteBufUtil.setShortBE(theirs, 9, value);
      assertThat(ByteBufUtil.hexDump(ours, 0, 20))
          .as(as)
          .isEqualTo(io.netty.buffer.ByteBufUtil.hexDump(theirs, 0, 20));
      ours.setIndex(0, 20);
      assertThat(ByteBufUtil.readUnsignedShortBE(ours)).as(as).isEqualTo(value & 0xFFFF);
      assertThat(ByteBufUtil.readIntBE(ours)).as(as).isEqualTo(ours.getInt(2));
    }
    ours.release();
  }

  @EveryKind
  void copiesBytes(BufferKind kind) {
    byte[] bytes = {1, 2, 3, 4, 5};
    ByteBuf buffer = kind.of(bytes);
    assertThat(ByteBufUtil.getBytes(buffer)).isEqualTo(bytes);
    assertThat(ByteBufUtil.getBytes(buffer, 1, 3)).containsExactly(2, 3, 4);
    assertThat(ByteBufUtil.getBytes(buffer, 1, 3, false)).containsExactly(2, 3, 4);
    ByteBuf read = ByteBufUtil.readBytes(kind.allocator(), buffer, 2);
    assertThat(ByteBufUtil.getBytes(read)).containsExactly(1, 2);
    assertThat(buffer.readerIndex()).isEqualTo(2);
    read.release();
    assertThatThrownBy(() -> ByteBufUtil.readBytes(kind.allocator(), buffer, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    AsciiString text = new AsciiString(new byte[] {0, 'a', 'b', 'c'}, 1, 3, false);
    buffer.clear();
    ByteBufUtil.copy(text, buffer);
    ByteBufUtil.copy(text, 2, buffer, 1);
    ByteBufUtil.copy(text, 1, buffer, 4, 1);
    assertThat(buffer.writerIndex()).isEqualTo(4);
    assertThat(buffer.toString(0, 5, CharsetUtil.US_ASCII)).isEqualTo("abccb");
    buffer.release();
  }

  @Test
  void givesTheArrayItselfOnlyIfItIsAllOfIt() {
    byte[] array = new byte[8];
    ByteBuf buffer = TestAllocators.UNPOOLED.heapBuffer(8, 8).writeBytes(array);
    assertThat(ByteBufUtil.getBytes(buffer, 0, 8, false)).isSameAs(buffer.array());
    assertThat(ByteBufUtil.getBytes(buffer, 0, 8, true)).isNotSameAs(buffer.array());
    assertThat(ByteBufUtil.getBytes(buffer, 0, 7, false)).isNotSameAs(buffer.array()).hasSize(7);
    buffer.release();
  }

  @Test
  void reportsWhetherABufferIsLive() {
    ByteBuf buffer = TestAllocators.POOLED.buffer(8);
    assertThat(ByteBufUtil.isAccessible(buffer)).isTrue();
    assertThat(ByteBufUtil.ensureAccessible(buffer)).isSameAs(buffer);
    buffer.release();
    assertThat(ByteBufUtil.isAccessible(buffer)).isFalse();
    assertThatThrownBy(() -> ByteBufUtil.ensureAccessible(buffer))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(ByteBufUtil.ensureWritableSuccess(0)).isTrue();
    assertThat(ByteBufUtil.ensureWritableSuccess(1)).isFalse();
    assertThat(ByteBufUtil.ensureWritableSuccess(2)).isTrue();
    assertThat(ByteBufUtil.ensureWritableSuccess(3)).isFalse();
  }

  @Test
  @Tag("D3")
  void allocatesTheLargestSizeATextCanNeed() {
    for (ByteBufAllocator allocator :
        new ByteBufAllocator[] {TestAllocators.POOLED, TestAllocators.UNPOOLED}) {
      ByteBuf utf8 = ByteBufUtil.writeUtf8(allocator, "a\u20ac");
      assertThat(utf8.toString(CharsetUtil.UTF_8)).isEqualTo("a\u20ac");
      assertThat(utf8.capacity()).isEqualTo(ByteBufUtil.utf8MaxBytes(2));
      utf8.release();
      ByteBuf ascii = ByteBufUtil.writeAscii(allocator, "abc");
      assertThat(ascii.toString(CharsetUtil.US_ASCII)).isEqualTo("abc");
      assertThat(ascii.capacity()).isEqualTo(3);
      ascii.release();
    }
    assertThat(ByteBufUtil.utf8MaxBytes(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }

  @EveryKind
  @Tag("D5")
  void encodesInEveryCharset(BufferKind kind) {
    for (Charset charset : CharsetUtil.values()) {
      for (String text : new String[] {"", "abc", "caf\u00e9 \u20ac \ud83d\ude00", "a\ud800z"}) {
        ByteBuf buffer =
            ByteBufUtil.encodeString(kind.allocator(), CharBuffer.wrap(text), charset, 5);
        assertThat(ByteBufUtil.getBytes(buffer))
            .as(text + " in " + charset)
            .isEqualTo(text.getBytes(charset));
        assertThat(buffer.writableBytes()).isGreaterThanOrEqualTo(5);
        buffer.release();
      }
    }
  }

  @Test
  void keepsNoThreadLocalDirectBufferByDefault() {
    assertThat(ByteBufUtil.threadLocalDirectBuffer()).isNull();
  }
}
