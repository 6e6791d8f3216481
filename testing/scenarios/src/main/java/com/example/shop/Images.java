/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Images and indexes in direct buffers of the JDK and in mapped files. */
final class Images {
  private static final int PAGE = 4 * Shop.KIB;

  private Images() {}

  /**
   * Allocates thumbnails that nothing refers to. Their memory is free after the next garbage
   * collection.
   */
  static void dropped(Shop shop) {
    int size = shop.number("size", 64) * Shop.KIB;
    Pace pace = shop.pace(4 * Shop.KIB);
    shop.ready();
    Shop.start(
        "shop-thumbnails-1",
        () -> {
          while (true) {
            draw(size);
            pace.spend(size);
          }
        });
  }

  private static int draw(int size) {
    ByteBuffer image = ByteBuffer.allocateDirect(size);
    image.putInt(0, size);
    return image.getInt(0);
  }

  /** Keeps images in a list, up to {@code mib} MiB. */
  static void kept(Shop shop) {
    int size = shop.number("size", 64) * Shop.KIB;
    Pace pace = shop.pace(4 * Shop.KIB);
    long limit = shop.mib("mib", 1200);
    shop.ready();
    Shop.start(
        "shop-images-1",
        () -> {
          List<ByteBuffer> images = new ArrayList<>();
          for (long bytes = 0; bytes < limit; bytes += size) {
            images.add(ByteBuffer.allocateDirect(size));
            pace.spend(size);
            shop.fact("jdk_direct", bytes + size);
          }
          keep(images);
        });
  }

  /** Uses 64 direct buffers of 1 MiB repeatedly. */
  static void reused(Shop shop) {
    List<ByteBuffer> images = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      images.add(ByteBuffer.allocateDirect(Shop.MIB));
    }
    shop.fact("jdk_direct", 64L * Shop.MIB);
    shop.ready();
    Shop.start(
        "shop-images-1",
        () -> {
          for (int i = 0; ; i++) {
            ByteBuffer image = images.get(i % images.size());
            for (int at = 0; at < image.capacity(); at += PAGE) {
              image.putInt(at, i);
            }
            Thread.sleep(10);
          }
        });
  }

  /** Maps and touches segments of a search index one by one, up to {@code mib} MiB. */
  static void mapped(Shop shop) throws IOException {
    int size = shop.number("size", 16) * Shop.MIB;
    Pace pace = shop.pace(8 * Shop.KIB);
    long limit = shop.mib("mib", 1024);
    Path directory = Files.createTempDirectory("index");
    shop.ready();
    Shop.start(
        "shop-index-1",
        () -> {
          List<ByteBuffer> segments = new ArrayList<>();
          for (long bytes = 0; bytes < limit; bytes += size) {
            segments.add(map(directory.resolve("segment-" + segments.size()), size));
            shop.fact("mapped_files", bytes + size);
            pace.spend(size);
          }
          long sum = 0;
          for (int i = 0; ; i++) {
            ByteBuffer segment = segments.get(i % segments.size());
            for (int at = 0; at < segment.capacity(); at += PAGE) {
              sum += segment.get(at);
            }
            shop.fact("index_sum", sum);
            Thread.sleep(50);
          }
        });
  }

  private static MappedByteBuffer map(Path file, int size) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
      for (int at = 0; at < size; at += PAGE) {
        segment.put(at, (byte) 1);
      }
      return segment;
    }
  }

  /** Keeps objects alive until the process ends. */
  static void keep(Object... kept) {
    while (kept.length > 0) {
      Shop.park();
    }
  }
}
