/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import java.lang.ref.WeakReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One copy of Netty in this JVM: a line of the inventory. It holds the host's classes weakly.
 *
 * <p>Written by the agent's thread only; read by reports.
 */
public final class NettyCopy {
  private final String prefix;
  private final String poolName;
  private final String loaderName;
  private final WeakReference<ClassLoader> loader;
  private volatile String version = "";
  private volatile CopyState state = CopyState.FOUND;
  private volatile String reason = "";

  /** The handle lives as long as the host's classes do, which hold it. */
  private volatile WeakReference<BiFunction<String, Object, Object>> bridge =
      new WeakReference<>(null);

  /** A buffer class of the host: initialised means that the host has made a buffer. */
  private WeakReference<Class<?>> bufferClass = new WeakReference<>(null);

  /** Times that native memory had run out when that was last asked. */
  private long exhausted;

  NettyCopy(String prefix, String poolName, ClassLoader loader) {
    this.prefix = prefix;
    this.poolName = poolName;
    this.loader = new WeakReference<>(loader);
    this.loaderName =
        loader.getClass().getName() + '@' + Integer.toHexString(System.identityHashCode(loader));
  }

  /**
   * The name of the copy's pool: its package prefix with dots, with a number from the second on.
   */
  public String poolName() {
    return poolName;
  }

  /** The package prefix, as {@code io/netty}. */
  String prefix() {
    return prefix;
  }

  /** The package prefix, as {@code io.netty}. */
  String dottedPrefix() {
    return prefix.replace('/', '.');
  }

  /** The loader's class and identity. */
  public String loaderName() {
    return loaderName;
  }

  @Nullable ClassLoader loader() {
    return loader.get();
  }

  /** Netty's version as its own properties tell it; empty where it is not known. */
  public String version() {
    return version;
  }

  void version(String found) {
    version = found;
  }

  /** Where the copy stands. */
  public CopyState state() {
    return state;
  }

  /** Why it stands there; empty where that needs no words. */
  public String reason() {
    return reason;
  }

  void become(CopyState newState, String why) {
    reason = why;
    state = newState;
  }

  /** The handle on its bridge, or null. Not to be kept: it holds the host's classes. */
  public @Nullable BridgeHandle bridge() {
    BiFunction<String, Object, Object> opened = bridge.get();
    return opened == null ? null : new BridgeHandle(opened);
  }

  void bridge(BiFunction<String, Object, Object> opened, Class<?> buffers) {
    bridge = new WeakReference<>(opened);
    bufferClass = new WeakReference<>(buffers);
  }

  /** Takes down how often native memory has run out; whether that is more than before. */
  boolean sawExhausted(long times) {
    boolean isMore = times > exhausted;
    exhausted = times;
    return isMore;
  }

  @Nullable Class<?> bufferClass() {
    return bufferClass.get();
  }

  @Override
  public String toString() {
    return version.isEmpty() ? poolName : poolName + ' ' + version;
  }
}
