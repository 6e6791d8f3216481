/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream that writes to a buffer and moves its writer index. The buffer grows if necessary; a
 * write past its maximum capacity throws {@link IndexOutOfBoundsException}. Numbers have the
 * buffer's byte order.
 */
public class ByteBufOutputStream extends OutputStream implements DataOutput {
  private final ByteBuf buffer;
  private final int startIndex;
  private final boolean releaseOnClose;
  private @Nullable DataOutputStream utf;
  private boolean closed;

  /** Creates a stream to a buffer that the caller still owns. */
  public ByteBufOutputStream(ByteBuf buffer) {
    this(buffer, false);
  }

  /**
   * Creates a stream to a buffer.
   *
   * @param releaseOnClose true to hand the buffer over, which {@link #close} releases
   */
  public ByteBufOutputStream(ByteBuf buffer, boolean releaseOnClose) {
    this.buffer = Objects.requireNonNull(buffer, "buffer");
    this.releaseOnClose = releaseOnClose;
    startIndex = buffer.writerIndex();
  }

  /** Returns the number of bytes written so far. */
  public int writtenBytes() {
    return buffer.writerIndex() - startIndex;
  }

  /** Returns the buffer that this stream writes to. */
  public ByteBuf buffer() {
    return buffer;
  }

  /** Releases the buffer, once, if the constructor took it over. */
  @Override
  public void close() throws IOException {
    boolean isFirst = !closed;
    closed = true;
    if (isFirst && releaseOnClose) {
      buffer.release();
    }
  }

  @Override
  public void write(byte[] b, int off, int len) throws IOException {
    buffer.writeBytes(b, off, len);
  }

  @Override
  public void write(int b) throws IOException {
    buffer.writeByte(b);
  }

  @Override
  public void writeBoolean(boolean v) throws IOException {
    buffer.writeBoolean(v);
  }

  @Override
  public void writeByte(int v) throws IOException {
    buffer.writeByte(v);
  }

  @Override
  public void writeShort(int v) throws IOException {
    buffer.writeShort(v);
  }

  @Override
  public void writeChar(int v) throws IOException {
    buffer.writeChar(v);
  }

  @Override
  public void writeInt(int v) throws IOException {
    buffer.writeInt(v);
  }

  @Override
  public void writeLong(long v) throws IOException {
    buffer.writeLong(v);
  }

  @Override
  public void writeFloat(float v) throws IOException {
    buffer.writeFloat(v);
  }

  @Override
  public void writeDouble(double v) throws IOException {
    buffer.writeDouble(v);
  }

  /** Writes the low byte of each character. */
  @Override
  public void writeBytes(String s) throws IOException {
    int length = s.length();
    buffer.ensureWritable(length);
    for (int i = 0; i < length; i++) {
      buffer.writeByte(s.charAt(i));
    }
  }

  @Override
  public void writeChars(String s) throws IOException {
    for (int i = 0; i < s.length(); i++) {
      buffer.writeChar(s.charAt(i));
    }
  }

  @Override
  public void writeUTF(String s) throws IOException {
    DataOutputStream out = utf;
    if (out == null) {
      if (closed) {
        throw new IOException("the stream is closed");
      }
      out = new DataOutputStream(this);
      utf = out;
    }
    out.writeUTF(s);
  }
}
