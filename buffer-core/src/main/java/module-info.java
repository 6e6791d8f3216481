/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The pool and the ByteBuf library. It needs no library at run time.
 *
 * <p>{@code buffer} and {@code util} contain the API of Netty 4.1. {@code io} is for code that
 * writes to channels. {@code leak} and {@code stats} contain reports for Cistern's other modules
 * and are no API. The packages {@code pool}, {@code memory} and {@code util.internal} are exported
 * to Cistern's modules only; {@code trace} is not exported.
 */
// The modules in the qualified exports are built later.
@SuppressWarnings("module")
module dev.cistern.buffer {
  exports dev.cistern.buffer;
  exports dev.cistern.buffer.search;
  exports dev.cistern.io;
  exports dev.cistern.util;
  exports dev.cistern.util.concurrent;
  exports dev.cistern.leak to
      dev.cistern.exporter,
      dev.cistern.netty;
  exports dev.cistern.leak.report to
      dev.cistern.exporter,
      dev.cistern.netty;
  exports dev.cistern.memory to
      dev.cistern.exporter,
      dev.cistern.netty;
  exports dev.cistern.pool to
      dev.cistern.exporter,
      dev.cistern.netty;
  exports dev.cistern.stats to
      dev.cistern.exporter,
      dev.cistern.netty;
  exports dev.cistern.util.internal to
      dev.cistern.exporter,
      dev.cistern.netty;

  // The state of idle threads, and the JVM's limit of direct memory.
  requires java.management;
  // sun.misc.Unsafe
  requires jdk.unsupported;
  // Annotations only. Not transitive, because modules that require this one would need them.
  requires static org.jspecify;
}
