/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The methods that give the buffer itself, which are declared to give a {@link CompositeByteBuf}:
 * so that calls can be chained. They do nothing else. Where the numbers are set, the part that is
 * found checks the index.
 */
abstract class ChainedCompositeByteBuf extends JoinedByteBuf {
  ChainedCompositeByteBuf(int maxCapacity) {
    super(maxCapacity);
  }

  abstract CompositeByteBuf self();

  @Override
  public CompositeByteBuf readerIndex(int readerIndex) {
    super.readerIndex(readerIndex);
    return self();
  }

  @Override
  public CompositeByteBuf writerIndex(int writerIndex) {
    super.writerIndex(writerIndex);
    return self();
  }

  @Override
  public CompositeByteBuf setIndex(int readerIndex, int writerIndex) {
    super.setIndex(readerIndex, writerIndex);
    return self();
  }

  @Override
  public CompositeByteBuf clear() {
    super.clear();
    return self();
  }

  @Override
  public CompositeByteBuf markReaderIndex() {
    super.markReaderIndex();
    return self();
  }

  @Override
  public CompositeByteBuf resetReaderIndex() {
    super.resetReaderIndex();
    return self();
  }

  @Override
  public CompositeByteBuf markWriterIndex() {
    super.markWriterIndex();
    return self();
  }

  @Override
  public CompositeByteBuf resetWriterIndex() {
    super.resetWriterIndex();
    return self();
  }

  @Override
  public CompositeByteBuf ensureWritable(int minWritableBytes) {
    super.ensureWritable(minWritableBytes);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst) {
    super.getBytes(index, dst);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int length) {
    super.getBytes(index, dst, length);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    super.getBytes(index, dst, dstIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst) {
    super.getBytes(index, dst);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    super.getBytes(index, dst, dstIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuffer dst) {
    super.getBytes(index, dst);
    return self();
  }

  @Override
  public CompositeByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    super.getBytes(index, out, length);
    return self();
  }

  @Override
  public CompositeByteBuf setBoolean(int index, boolean value) {
    super.setBoolean(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setByte(int index, int value) {
    _setByte(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setShort(int index, int value) {
    _setShort(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setMedium(int index, int value) {
    super.setMedium(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setInt(int index, int value) {
    _setInt(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setLong(int index, long value) {
    _setLong(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setChar(int index, int value) {
    super.setChar(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setFloat(int index, float value) {
    super.setFloat(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setDouble(int index, double value) {
    super.setDouble(index, value);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src) {
    super.setBytes(index, src);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int length) {
    super.setBytes(index, src, length);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    super.setBytes(index, src, srcIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src) {
    super.setBytes(index, src);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    super.setBytes(index, src, srcIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuffer src) {
    super.setBytes(index, src);
    return self();
  }

  @Override
  public CompositeByteBuf setZero(int index, int length) {
    super.setZero(index, length);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst) {
    super.readBytes(dst);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int length) {
    super.readBytes(dst, length);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    super.readBytes(dst, dstIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst) {
    super.readBytes(dst);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    super.readBytes(dst, dstIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuffer dst) {
    super.readBytes(dst);
    return self();
  }

  @Override
  public CompositeByteBuf readBytes(OutputStream out, int length) throws IOException {
    super.readBytes(out, length);
    return self();
  }

  @Override
  public CompositeByteBuf skipBytes(int length) {
    super.skipBytes(length);
    return self();
  }

  @Override
  public CompositeByteBuf writeBoolean(boolean value) {
    super.writeBoolean(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeByte(int value) {
    super.writeByte(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeShort(int value) {
    super.writeShort(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeMedium(int value) {
    super.writeMedium(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeInt(int value) {
    super.writeInt(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeLong(long value) {
    super.writeLong(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeChar(int value) {
    super.writeChar(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeFloat(float value) {
    super.writeFloat(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeDouble(double value) {
    super.writeDouble(value);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src) {
    super.writeBytes(src);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int length) {
    super.writeBytes(src, length);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    super.writeBytes(src, srcIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src) {
    super.writeBytes(src);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    super.writeBytes(src, srcIndex, length);
    return self();
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuffer src) {
    super.writeBytes(src);
    return self();
  }

  @Override
  public CompositeByteBuf writeZero(int length) {
    super.writeZero(length);
    return self();
  }

  @Override
  public CompositeByteBuf retain() {
    super.retain();
    return self();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    super.retain(increment);
    return self();
  }

  @Override
  public CompositeByteBuf touch() {
    super.touch();
    return self();
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    super.touch(hint);
    return self();
  }
}
