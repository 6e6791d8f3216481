/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream that reads a buffer and moves its reader index. Numbers have the buffer's byte order. A
 * read beyond the end throws {@link EOFException} in the methods of {@link DataInput}.
 *
 * <p>{@link #mark} uses the mark of the buffer, which the constructor sets.
 */
public class ByteBufInputStream extends InputStream implements DataInput {
  private final ByteBuf buffer;
  private final int startIndex;
  private final int endIndex;
  private final boolean releaseOnClose;
  private boolean closed;

  /** Creates a stream of the bytes that are readable now; the caller still owns the buffer. */
  public ByteBufInputStream(ByteBuf buffer) {
    this(buffer, buffer.readableBytes());
  }

  /**
   * Creates a stream of the next {@code length} bytes; the caller still owns the buffer.
   *
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   */
  public ByteBufInputStream(ByteBuf buffer, int length) {
    this(buffer, length, false);
  }

  /**
   * Creates a stream of the bytes that are readable now.
   *
   * @param releaseOnClose true to hand the buffer over, which {@link #close} releases
   */
  public ByteBufInputStream(ByteBuf buffer, boolean releaseOnClose) {
    this(buffer, buffer.readableBytes(), releaseOnClose);
  }

  /**
   * Creates a stream of the next {@code length} bytes.
   *
   * @param releaseOnClose true to hand the buffer over, which {@link #close} releases; if this
   *     constructor fails, it releases the buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   */
  public ByteBufInputStream(ByteBuf buffer, int length, boolean releaseOnClose) {
    this.buffer = Objects.requireNonNull(buffer, "buffer");
    if (length < 0 || length > buffer.readableBytes()) {
      String message = "length: " + length + " (expected: 0 to " + buffer.readableBytes() + ")";
      if (releaseOnClose) {
        buffer.release();
      }
      throw length < 0
          ? new IllegalArgumentException(message)
          : new IndexOutOfBoundsException(message);
    }
    this.releaseOnClose = releaseOnClose;
    startIndex = buffer.readerIndex();
    endIndex = startIndex + length;
    buffer.markReaderIndex();
  }

  /** Returns the number of bytes read so far. */
  public int readBytes() {
    return buffer.readerIndex() - startIndex;
  }

  /** Releases the buffer, once, if the constructor took it over. */
  @Override
  public void close() throws IOException {
    if (releaseOnClose && !closed) {
      closed = true;
      buffer.release();
    }
  }

  @Override
  public int available() throws IOException {
    return endIndex - buffer.readerIndex();
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a buffer has one thread at a time
  public void mark(int readLimit) {
    buffer.markReaderIndex();
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a buffer has one thread at a time
  public void reset() throws IOException {
    buffer.resetReaderIndex();
  }

  @Override
  public int read() throws IOException {
    return available() == 0 ? -1 : buffer.readByte() & 0xFF;
  }

  @Override
  public int read(byte[] b, int off, int len) throws IOException {
    int available = available();
    if (available == 0) {
      return -1;
    }
    int bytes = Math.min(available, len);
    buffer.readBytes(b, off, bytes);
    return bytes;
  }

  @Override
  public long skip(long n) throws IOException {
    return skipBytes((int) Math.max(0, Math.min(Integer.MAX_VALUE, n)));
  }

  @Override
  public int skipBytes(int n) throws IOException {
    int bytes = Math.max(0, Math.min(available(), n));
    buffer.skipBytes(bytes);
    return bytes;
  }

  /** Returns the buffer if the stream has {@code bytes} bytes left; otherwise fails. */
  private ByteBuf require(int bytes) throws IOException {
    if (bytes < 0) {
      throw new IndexOutOfBoundsException("length: " + bytes + " (expected: >= 0)");
    }
    if (bytes > available()) {
      throw new EOFException("length: " + bytes + " (expected: up to " + available() + ")");
    }
    return buffer;
  }

  @Override
  public void readFully(byte[] b) throws IOException {
    readFully(b, 0, b.length);
  }

  @Override
  public void readFully(byte[] b, int off, int len) throws IOException {
    require(len).readBytes(b, off, len);
  }

  @Override
  public boolean readBoolean() throws IOException {
    return require(1).readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return require(1).readByte();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return require(1).readUnsignedByte();
  }

  @Override
  public short readShort() throws IOException {
    return require(Short.BYTES).readShort();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return require(Short.BYTES).readUnsignedShort();
  }

  @Override
  public char readChar() throws IOException {
    return require(Character.BYTES).readChar();
  }

  @Override
  public int readInt() throws IOException {
    return require(Integer.BYTES).readInt();
  }

  @Override
  public long readLong() throws IOException {
    return require(Long.BYTES).readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return require(Float.BYTES).readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return require(Double.BYTES).readDouble();
  }

  /**
   * Returns the next line, or null at the end of the stream. Each byte is a character. The line
   * does not include its terminator, {@code \n}, {@code \r} or both.
   */
  @Override
  public @Nullable String readLine() throws IOException {
    if (available() == 0) {
      return null;
    }
    StringBuilder line = new StringBuilder();
    for (int next; (next = read()) >= 0 && next != '\n'; ) {
      if (next == '\r') {
        if (available() > 0 && buffer.getByte(buffer.readerIndex()) == '\n') {
          buffer.skipBytes(1);
        }
        break;
      }
      line.append((char) next);
    }
    return line.toString();
  }

  @Override
  public String readUTF() throws IOException {
    return DataInputStream.readUTF(this);
  }
}
