/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Orders that the shop encodes, on paths that do not release all buffers. */
final class Orders {
  private static final int STORE_MILLIS = 5;

  private final ByteBufAllocator allocator;
  private final int size;

  private Orders(Shop shop) {
    allocator = shop.allocator();
    size = shop.number("size", 16) * Shop.KIB;
  }

  /** A path that makes one order. */
  private interface Path {
    void order(Orders orders) throws Exception;
  }

  static Workload on(String path) {
    return shop ->
        new Orders(shop)
            .repeat(
                shop,
                0,
                switch (path) {
                  case "dropped" -> Orders::reject;
                  case "retained" -> Orders::audit;
                  default -> Orders::sendWithBody;
                });
  }

  /**
   * Makes orders, each of which leaks its buffer.
   *
   * @param delayedBytes bytes of orders whose buffers may not be allocated yet
   */
  private void repeat(Shop shop, long delayedBytes, Path path) {
    Pace pace = shop.pace(1536);
    shop.ready();
    Shop.start(
        "shop-orders-1",
        () -> {
          long leaked = 0;
          while (true) {
            path.order(this);
            pace.spend(size);
            leaked += size;
            shop.fact("buffers", Math.max(0, leaked - delayedBytes));
          }
        });
  }

  /** The return for an invalid order leaves out the release. */
  private void reject() {
    ByteBuf order = encode();
    if (order.isReadable()) {
      return;
    }
    order.release();
  }

  /** The audit retains an order that it already owns. */
  private void audit() {
    ByteBuf order = encode();
    ByteBuf audited = order.retain();
    try {
      audited.skipBytes(1);
    } finally {
      order.release();
    }
  }

  /** The message owns the slice only, and the sender forgets its own reference. */
  private void sendWithBody() {
    ByteBuf body = encode();
    CompositeByteBuf message = allocator.compositeBuffer();
    message.addComponent(true, Shop.filled(allocator, 64));
    message.addComponent(true, body.retainedSlice());
    message.release();
  }

  private ByteBuf encode() {
    return Shop.filled(allocator, size);
  }

  /** Half of the customers cancel while the store reads; their reply has no receiver. */
  static void cancelled(Shop shop) {
    Orders orders = new Orders(shop);
    BlockingQueue<CompletableFuture<ByteBuf>> reads = new LinkedBlockingQueue<>();
    Shop.start("shop-store-1", () -> orders.read(reads));
    orders.repeat(
        shop,
        2 * Shop.MIB, // reads of the last second may still be in the queue
        each -> {
          CompletableFuture<ByteBuf> unused = request(reads);
          request(reads).cancel(false);
        });
  }

  /** Requests a read from the store. The response releases its reply. */
  private static CompletableFuture<ByteBuf> request(
      BlockingQueue<CompletableFuture<ByteBuf>> reads) {
    CompletableFuture<ByteBuf> read = new CompletableFuture<>();
    CompletableFuture<Void> unused = read.thenAccept(ByteBuf::release);
    reads.add(read);
    return read;
  }

  private void read(BlockingQueue<CompletableFuture<ByteBuf>> reads) throws InterruptedException {
    while (true) {
      CompletableFuture<ByteBuf> read = reads.take();
      TimeUnit.MILLISECONDS.sleep(reads.size() > 2 ? 0 : STORE_MILLIS);
      read.complete(encode());
    }
  }
}
