/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a hook class that is added to one method of Netty. Class names and descriptors are of
 * Netty's own package, {@code io/netty/}.
 *
 * @param target the class with the method
 * @param method name and descriptor of the method
 * @param owner the hook class
 * @param name the static method of the hook class
 * @param descriptor descriptor of the static method
 * @param locals the local variables to pass, all of one slot each
 * @param isAtExit whether the call is before each return, and not at the head: at its head, a
 *     constructor has no object yet
 * @param isHolding whether it only shows the holders of buffers, so that a copy of Netty without
 *     the method is still served and observed
 */
record HookCall(
    String target,
    String method,
    String owner,
    String name,
    String descriptor,
    List<Integer> locals,
    boolean isAtExit,
    boolean isHolding) {
  private static final String PREFIX = "io/netty";
  private static final String BUFFER = "Lio/netty/buffer/ByteBuf;";
  private static final String HOLDERS = "/buffer/CisternHolders";

  private static final List<HookCall> ALL =
      List.of(
          releases("/buffer/PooledByteBuf"),
          releases("/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf"),
          new HookCall(
              "/util/internal/PlatformDependent",
              "incrementMemoryCounter(I)V",
              "/util/internal/CisternMemory",
              "reserving",
              "(I)V",
              List.of(0),
              false,
              false),
          holding(
              "/channel/AbstractChannel$AbstractUnsafe",
              "register(Lio/netty/channel/EventLoop;Lio/netty/channel/ChannelPromise;)V",
              "/channel/CisternChannels",
              "registered",
              "(Lio/netty/channel/EventLoop;Lio/netty/channel/ChannelPromise;)V",
              List.of(1, 2),
              false),
          touches("/buffer/AbstractReferenceCountedByteBuf", "ByteBuf"),
          touches("/buffer/CompositeByteBuf", "CompositeByteBuf"),
          // a decoder copies incomplete messages into buffers that no handler receives
          holding(
              "/handler/codec/ByteToMessageDecoder",
              "callDecode(Lio/netty/channel/ChannelHandlerContext;" + BUFFER + "Ljava/util/List;)V",
              HOLDERS,
              "touched",
              "(" + BUFFER + "Ljava/lang/Object;)V",
              List.of(2, 1),
              false),
          holding(
              "/buffer/AbstractPooledDerivedByteBuf",
              "init(Lio/netty/buffer/AbstractByteBuf;"
                  + BUFFER
                  + "III)Lio/netty/buffer/AbstractPooledDerivedByteBuf;",
              HOLDERS,
              "derived",
              "(Lio/netty/buffer/AbstractPooledDerivedByteBuf;Lio/netty/buffer/AbstractByteBuf;"
                  + BUFFER
                  + "I)V",
              List.of(0, 1, 2, 5),
              false),
          holding(
              "/buffer/AbstractUnpooledSlicedByteBuf",
              "<init>(" + BUFFER + "II)V",
              HOLDERS,
              "sliced",
              "(Lio/netty/buffer/AbstractUnpooledSlicedByteBuf;)V",
              List.of(0),
              true));

  private static HookCall releases(String target) {
    return new HookCall(
        target,
        "deallocate()V",
        "/buffer/CisternObserver",
        "deallocated",
        "(Lio/netty/buffer/AbstractReferenceCountedByteBuf;)V",
        List.of(0),
        false,
        false);
  }

  private static HookCall touches(String target, String result) {
    return holding(
        target,
        "touch(Ljava/lang/Object;)Lio/netty/buffer/" + result + ';',
        HOLDERS,
        "touched",
        "(" + BUFFER + "Ljava/lang/Object;)V",
        List.of(0, 1),
        false);
  }

  private static HookCall holding(
      String target,
      String method,
      String owner,
      String name,
      String descriptor,
      List<Integer> locals,
      boolean isAtExit) {
    return new HookCall(target, method, owner, name, descriptor, locals, isAtExit, true);
  }

  /** Returns the call to add to a class of this internal name, for its copy; null for none. */
  static @Nullable HookCall of(String className) {
    for (HookCall call : ALL) {
      if (className.endsWith(call.target)) {
        return call.in(className.substring(0, className.length() - call.target.length()));
      }
    }
    return null;
  }

  /**
   * Returns the calls of a copy that show the holders of buffers.
   *
   * @param prefix of the copy, as {@code io/netty}
   * @param hasChannels whether the copy has Netty's transport; otherwise only buffers are included
   */
  static List<HookCall> holding(String prefix, boolean hasChannels) {
    return ALL.stream()
        .filter(call -> call.isHolding && (hasChannels || call.owner.equals(HOLDERS)))
        .map(call -> call.in(prefix))
        .toList();
  }

  private HookCall in(String prefix) {
    return new HookCall(
        prefix + target,
        method.replace(PREFIX, prefix),
        prefix + owner,
        name,
        descriptor.replace(PREFIX, prefix),
        locals,
        isAtExit,
        isHolding);
  }
}
