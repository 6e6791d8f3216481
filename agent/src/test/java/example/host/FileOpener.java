/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An application that opens twenty files every 20 ms. Orders: {@code opened} (the numbers of
 * successes and failures), {@code exit}.
 */
public final class FileOpener {
  private static final int FILES = 20;
  private static final long PAUSE_MILLIS = 20;
  private static final Path FILE = Path.of(System.getProperty("java.home"), "release");

  private static volatile int opened;
  private static volatile int failed;

  private FileOpener() {}

  public static void main(String[] arguments) throws Exception {
    PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
    Thread thread = new Thread(FileOpener::openAndClose, "opener");
    thread.setDaemon(true);
    thread.start();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("exit")) {
        return;
      }
      System.out.println(order + ' ' + opened + ' ' + failed);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private static void openAndClose() {
    while (true) {
      List<Closeable> files = new ArrayList<>();
      try {
        for (int i = 0; i < FILES; i++) {
          files.add(new FileInputStream(FILE.toFile()));
        }
        opened++;
      } catch (IOException e) {
        failed++;
      }
      try {
        for (Closeable file : files) {
          file.close();
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (IOException | InterruptedException e) {
        return;
      }
    }
  }
}
