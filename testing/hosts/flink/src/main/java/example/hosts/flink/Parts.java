/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.flink;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;

/** The source: parts of the bodies that clients send. */
@SuppressWarnings("deprecation") // the successor needs six classes for the same
final class Parts implements SourceFunction<Part> {
  static final BlockingQueue<Part> QUEUE = new LinkedBlockingQueue<>();

  private static final long serialVersionUID = 1;

  private volatile boolean isCancelled;

  @Override
  public void run(SourceContext<Part> context) throws InterruptedException {
    while (!isCancelled) {
      Part part = QUEUE.poll(1, TimeUnit.SECONDS);
      if (part != null) {
        context.collect(part);
      }
    }
  }

  @Override
  public void cancel() {
    isCancelled = true;
  }
}
