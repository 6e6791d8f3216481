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

  @Override
  public CompositeByteBuf readerIndex(int readerIndex) {
    return (CompositeByteBuf) super.readerIndex(readerIndex);
  }

  @Override
  public CompositeByteBuf writerIndex(int writerIndex) {
    return (CompositeByteBuf) super.writerIndex(writerIndex);
  }

  @Override
  public CompositeByteBuf setIndex(int readerIndex, int writerIndex) {
    return (CompositeByteBuf) super.setIndex(readerIndex, writerIndex);
  }

  @Override
  public CompositeByteBuf clear() {
    return (CompositeByteBuf) super.clear();
  }

  @Override
  public CompositeByteBuf markReaderIndex() {
    return (CompositeByteBuf) super.markReaderIndex();
  }

  @Override
  public CompositeByteBuf resetReaderIndex() {
    return (CompositeByteBuf) super.resetReaderIndex();
  }

  @Override
  public CompositeByteBuf markWriterIndex() {
    return (CompositeByteBuf) super.markWriterIndex();
  }

  @Override
  public CompositeByteBuf resetWriterIndex() {
    return (CompositeByteBuf) super.resetWriterIndex();
  }

  @Override
  public CompositeByteBuf ensureWritable(int minWritableBytes) {
    return (CompositeByteBuf) super.ensureWritable(minWritableBytes);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.getBytes(index, dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf getBytes(int index, ByteBuffer dst) {
    return (CompositeByteBuf) super.getBytes(index, dst);
  }

  @Override
  public CompositeByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    return (CompositeByteBuf) super.getBytes(index, out, length);
  }

  @Override
  public CompositeByteBuf setBoolean(int index, boolean value) {
    return (CompositeByteBuf) super.setBoolean(index, value);
  }

  @Override
  public CompositeByteBuf setByte(int index, int value) {
    return (CompositeByteBuf) super.setByte(index, value);
  }

  @Override
  public CompositeByteBuf setShort(int index, int value) {
    return (CompositeByteBuf) super.setShort(index, value);
  }

  @Override
  public CompositeByteBuf setMedium(int index, int value) {
    return (CompositeByteBuf) super.setMedium(index, value);
  }

  @Override
  public CompositeByteBuf setInt(int index, int value) {
    return (CompositeByteBuf) super.setInt(index, value);
  }

  @Override
  public CompositeByteBuf setLong(int index, long value) {
    return (CompositeByteBuf) super.setLong(index, value);
  }

  @Override
  public CompositeByteBuf setChar(int index, int value) {
    return (CompositeByteBuf) super.setChar(index, value);
  }

  @Override
  public CompositeByteBuf setFloat(int index, float value) {
    return (CompositeByteBuf) super.setFloat(index, value);
  }

  @Override
  public CompositeByteBuf setDouble(int index, double value) {
    return (CompositeByteBuf) super.setDouble(index, value);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, length);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    return (CompositeByteBuf) super.setBytes(index, src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf setBytes(int index, ByteBuffer src) {
    return (CompositeByteBuf) super.setBytes(index, src);
  }

  @Override
  public CompositeByteBuf setZero(int index, int length) {
    return (CompositeByteBuf) super.setZero(index, length);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int length) {
    return (CompositeByteBuf) super.readBytes(dst, length);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.readBytes(dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    return (CompositeByteBuf) super.readBytes(dst, dstIndex, length);
  }

  @Override
  public CompositeByteBuf readBytes(ByteBuffer dst) {
    return (CompositeByteBuf) super.readBytes(dst);
  }

  @Override
  public CompositeByteBuf readBytes(OutputStream out, int length) throws IOException {
    return (CompositeByteBuf) super.readBytes(out, length);
  }

  @Override
  public CompositeByteBuf skipBytes(int length) {
    return (CompositeByteBuf) super.skipBytes(length);
  }

  @Override
  public CompositeByteBuf writeBoolean(boolean value) {
    return (CompositeByteBuf) super.writeBoolean(value);
  }

  @Override
  public CompositeByteBuf writeByte(int value) {
    return (CompositeByteBuf) super.writeByte(value);
  }

  @Override
  public CompositeByteBuf writeShort(int value) {
    return (CompositeByteBuf) super.writeShort(value);
  }

  @Override
  public CompositeByteBuf writeMedium(int value) {
    return (CompositeByteBuf) super.writeMedium(value);
  }

  @Override
  public CompositeByteBuf writeInt(int value) {
    return (CompositeByteBuf) super.writeInt(value);
  }

  @Override
  public CompositeByteBuf writeLong(long value) {
    return (CompositeByteBuf) super.writeLong(value);
  }

  @Override
  public CompositeByteBuf writeChar(int value) {
    return (CompositeByteBuf) super.writeChar(value);
  }

  @Override
  public CompositeByteBuf writeFloat(float value) {
    return (CompositeByteBuf) super.writeFloat(value);
  }

  @Override
  public CompositeByteBuf writeDouble(double value) {
    return (CompositeByteBuf) super.writeDouble(value);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int length) {
    return (CompositeByteBuf) super.writeBytes(src, length);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    return (CompositeByteBuf) super.writeBytes(src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    return (CompositeByteBuf) super.writeBytes(src, srcIndex, length);
  }

  @Override
  public CompositeByteBuf writeBytes(ByteBuffer src) {
    return (CompositeByteBuf) super.writeBytes(src);
  }

  @Override
  public CompositeByteBuf writeZero(int length) {
    return (CompositeByteBuf) super.writeZero(length);
  }

  @Override
  public CompositeByteBuf retain() {
    return (CompositeByteBuf) super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    return (CompositeByteBuf) super.retain(increment);
  }

  @Override
  public CompositeByteBuf touch() {
    return (CompositeByteBuf) super.touch();
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    return (CompositeByteBuf) super.touch(hint);
  }
}
