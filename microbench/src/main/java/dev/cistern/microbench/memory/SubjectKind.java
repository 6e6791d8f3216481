/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.Locale;

/** The allocators that are compared. Leak detection is off in all of them. */
enum SubjectKind {
  /** Netty's pooled allocator at its defaults, which Cistern is compared with. */
  POOLED("Netty pooled, defaults") {
    @Override
    Subject open() {
      return NettySubject.own(new PooledByteBufAllocator(true));
    }
  },
  /**
   * Netty's pooled allocator with caches for all threads, trimmed each second by the event loops.
   */
  POOLED_BEST(
      "Netty pooled, best",
      "-Dio.netty.allocator.useCacheForAllThreads=true",
      "-Dio.netty.allocator.cacheTrimIntervalMillis=1000") {
    @Override
    Subject open() {
      return NettySubject.own(new PooledByteBufAllocator(true));
    }
  },
  /** Netty's adaptive allocator at its defaults. */
  ADAPTIVE("Netty adaptive, defaults") {
    @Override
    Subject open() {
      return NettySubject.own(new AdaptiveByteBufAllocator(true));
    }
  },
  /** Netty's adaptive allocator with magazines for all threads. */
  ADAPTIVE_BEST("Netty adaptive, best") {
    @Override
    Subject open() {
      return NettySubject.own(new AdaptiveByteBufAllocator(true, true));
    }
  },
  /** Cistern's library. */
  CISTERN("Cistern") {
    @Override
    Subject open() {
      return new CisternSubject();
    }
  },
  /** Netty's pooled allocator in a JVM with Cistern's agent. */
  BRIDGE(
      "Cistern, agent",
      "-javaagent:agent/target/cistern-agent.jar=listen=none,sampleIntervalBytes=0") {
    @Override
    Subject open() {
      return NettySubject.bridged(new PooledByteBufAllocator(true));
    }
  };

  private final String title;
  private final String jvmArguments;

  SubjectKind(String title, String... jvmArguments) {
    this.title = title;
    this.jvmArguments = String.join(" ", jvmArguments);
  }

  /** Creates the allocator, in a JVM that was started with {@link #jvmArguments}. */
  abstract Subject open();

  /** Returns the name in tables. */
  String title() {
    return title;
  }

  /** Returns the arguments of the JVM, in addition to the common ones. */
  List<String> jvmArguments() {
    return jvmArguments.isEmpty() ? List.of() : List.of(jvmArguments.split(" ", -1));
  }

  /** Returns whether the allocator is Cistern's. */
  boolean isOurs() {
    return this == CISTERN || this == BRIDGE;
  }

  /** Returns the name on the command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static SubjectKind of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
