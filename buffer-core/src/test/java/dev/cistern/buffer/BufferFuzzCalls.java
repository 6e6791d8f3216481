/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.AsciiString;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * The calls of one {@link BufferFuzz} thread that move text, or bytes to and from streams and
 * channels.
 */
final class BufferFuzzCalls implements AutoCloseable {
  private static final int MAX_CHARS = 100;
  private static final int MAX_BYTES = 300;
  private static final Charset[] CHARSETS = {
    StandardCharsets.UTF_8,
    StandardCharsets.UTF_8,
    StandardCharsets.ISO_8859_1,
    StandardCharsets.US_ASCII,
    StandardCharsets.UTF_16,
    Charset.forName("UTF-32LE")
  };

  /** A text that returns another length, and other characters, at each call. */
  private record ChangingText(Random random) implements CharSequence {
    @Override
    public int length() {
      return random.nextInt(MAX_CHARS);
    }

    @Override
    public char charAt(int index) {
      return (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return this;
    }

    @Override
    public String toString() {
      return randomText(random);
    }
  }

  private final Random random;
  private final FileChannel file;

  BufferFuzzCalls(Random random) throws IOException {
    this.random = random;
    Path path = Files.createTempFile("fuzz", ".bin");
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
  }

  private static String randomText(Random random) {
    int limit = new int[] {128, 256, 0x800, 0x10000}[random.nextInt(4)];
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(MAX_CHARS); left > 0; left--) {
      text.append((char) random.nextInt(limit));
    }
    return text.toString();
  }

  private CharSequence text() {
    return switch (random.nextInt(8)) {
      case 0 -> new AsciiString(randomText(random));
      case 1 -> new ChangingText(random);
      case 2 -> CharBuffer.wrap(randomText(random));
      default -> randomText(random);
    };
  }

  private Charset charset() {
    return CHARSETS[random.nextInt(CHARSETS.length)];
  }

  private int index(ByteBuf buffer) {
    return random.nextInt(buffer.capacity() + 9) - 4;
  }

  private int length() {
    return random.nextInt(MAX_BYTES) - 2;
  }

  /** Moves the indices, so that the buffer has readable bytes and some room. */
  private void moveIndices(ByteBuf buffer) {
    int writerIndex = random.nextInt(buffer.capacity() + 1);
    buffer.setIndex(random.nextInt(writerIndex + 1), writerIndex);
  }

  /** Makes one call with text; other threads can move the buffer's indices meanwhile. */
  void moveText(ByteBuf buffer) {
    if (random.nextBoolean()) {
      moveIndices(buffer);
    }
    switch (random.nextInt(11)) {
      case 0 -> buffer.writeCharSequence(text(), charset());
      case 1 -> buffer.setCharSequence(index(buffer), text(), charset());
      case 2 -> buffer.getCharSequence(index(buffer), length(), charset());
      case 3 -> buffer.readCharSequence(length(), charset());
      case 4 -> buffer.toString(charset());
      case 5 -> buffer.toString(index(buffer), length(), charset());
      case 6 -> ByteBufUtil.writeUtf8(buffer, text());
      case 7 -> ByteBufUtil.writeAscii(buffer, text());
      case 8 -> ByteBufUtil.writeUtf8(buffer, text(), random.nextInt(9), random.nextInt(99));
      case 9 -> ByteBufUtil.reserveAndWriteUtf8(buffer, text(), random.nextInt(3 * MAX_CHARS));
      default -> ByteBufUtil.isText(buffer, StandardCharsets.UTF_8);
    }
  }

  /**
   * Makes one call that moves bytes between the buffer and a stream or a channel; other threads can
   * move the buffer's indices meanwhile.
   */
  void moveBytes(ByteBuf buffer) throws IOException {
    if (random.nextBoolean()) {
      moveIndices(buffer);
    }
    try {
      switch (random.nextInt(5)) {
        case 0 -> readAsStream(buffer);
        case 1 -> writeAsStream(buffer);
        case 2 -> useStream(buffer);
        case 3 -> useChannel(buffer);
        default -> useFile(buffer);
      }
    } catch (EOFException | UTFDataFormatException documented) {
      throw new IllegalArgumentException(documented);
    }
  }

  private void readAsStream(ByteBuf buffer) throws IOException {
    try (ByteBufInputStream in =
        random.nextBoolean()
            ? new ByteBufInputStream(buffer)
            : new ByteBufInputStream(buffer, length())) {
      in.mark(0);
      switch (random.nextInt(8)) {
        case 0 -> in.read(new byte[MAX_BYTES], 0, random.nextInt(MAX_BYTES));
        case 1 -> in.readFully(new byte[random.nextInt(MAX_BYTES)]);
        case 2 -> in.skip(length());
        case 3 -> in.readLong();
        case 4 -> in.readLine();
        case 5 -> in.readUTF();
        case 6 -> in.transferTo(OutputStream.nullOutputStream());
        default -> in.read();
      }
      in.reset();
    }
  }

  private void writeAsStream(ByteBuf buffer) throws IOException {
    try (ByteBufOutputStream out = new ByteBufOutputStream(buffer)) {
      switch (random.nextInt(6)) {
        case 0 -> out.write(new byte[MAX_BYTES], 0, random.nextInt(MAX_BYTES));
        case 1 -> out.writeUTF(randomText(random));
        case 2 -> out.writeChars(randomText(random));
        case 3 -> out.writeBytes(randomText(random));
        case 4 -> out.writeLong(random.nextLong());
        default -> out.write(1);
      }
    }
  }

  private void useStream(ByteBuf buffer) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(new byte[MAX_BYTES / 2]);
    switch (random.nextInt(4)) {
      case 0 -> buffer.readBytes(OutputStream.nullOutputStream(), length());
      case 1 -> buffer.getBytes(index(buffer), OutputStream.nullOutputStream(), length());
      case 2 -> buffer.writeBytes(in, length());
      default -> buffer.setBytes(index(buffer), in, length());
    }
  }

  private void useChannel(ByteBuf buffer) throws IOException {
    MemoryChannel channel = new MemoryChannel(new byte[MAX_BYTES / 2]);
    switch (random.nextInt(4)) {
      case 0 -> buffer.readBytes(channel, length());
      case 1 -> buffer.getBytes(index(buffer), channel, length());
      case 2 -> buffer.writeBytes(channel, length());
      default -> buffer.setBytes(index(buffer), channel, length());
    }
  }

  private void useFile(ByteBuf buffer) throws IOException {
    int position = random.nextInt(MAX_BYTES);
    switch (random.nextInt(4)) {
      case 0 -> buffer.readBytes(file, position, length());
      case 1 -> buffer.getBytes(index(buffer), file, position, length());
      case 2 -> buffer.writeBytes(file, position, length());
      default -> buffer.setBytes(index(buffer), file, position, length());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
