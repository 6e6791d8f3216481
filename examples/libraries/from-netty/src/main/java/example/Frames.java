/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example;

import static io.netty.buffer.Unpooled.wrappedBuffer;

import io.netty.buffer.*;
import io.netty.util.AsciiString;
import io.netty.util.ByteProcessor;
import io.netty.util.CharsetUtil;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.Recycler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocal;

/** Code that uses Netty's buffers, with each form in which a type can be named. */
public final class Frames {
  private static final ByteBufAllocator ALLOCATOR = new AdaptiveByteBufAllocator(true);

  private static final FastThreadLocal<AsciiString> GREETING =
      new FastThreadLocal<AsciiString>() {
        @Override
        protected AsciiString initialValue() {
          return AsciiString.of("hello");
        }
      };

  private static final Recycler<Frame> FRAMES =
      new Recycler<Frame>() {
        @Override
        protected Frame newObject(Recycler.Handle<Frame> handle) {
          return new Frame(handle);
        }
      };

  /** A reusable frame. */
  private static final class Frame extends DefaultByteBufHolder {
    private final Recycler.Handle<Frame> handle;

    Frame(Recycler.Handle<Frame> handle) {
      super(Unpooled.EMPTY_BUFFER);
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }
  }

  private Frames() {}

  static String firstLine(ByteBuf buffer) {
    int end = buffer.forEachByte(ByteProcessor.FIND_LF);
    return buffer.readCharSequence(end - buffer.readerIndex(), CharsetUtil.US_ASCII).toString();
  }

  /** Prints the package of the buffers, and the content of a frame. */
  public static void main(String[] arguments) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBuf head = ALLOCATOR.directBuffer().writeBytes(GREETING.get().array()).writeByte('\n');
    CompositeByteBuf frame = ALLOCATOR.compositeBuffer();
    frame.addComponents(true, head, wrappedBuffer("rest".getBytes(CharsetUtil.UTF_8)));
    System.out.println(ByteBuf.class.getPackageName());
    System.out.println(firstLine(frame));
    System.out.println(io.netty.buffer.ByteBufUtil.hexDump(frame.skipBytes(1)));
    ReferenceCountUtil.release(frame);
    try {
      frame.getByte(0);
    } catch (IllegalReferenceCountException released) {
      System.out.println("released");
    }
    FRAMES.get().recycle();
  }
}
