/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import io.netty.util.ResourceLeakTracker;
import java.nio.ByteOrder;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A recording wrapper around two wrappers of Netty: one reports accesses, the other one reports
 * changes of the reference count.
 *
 * <p>Netty's own wrapper lets its detector watch each retained slice, at any level. This wrapper
 * leaves slices to Netty's detector only if the detector selected the buffer itself. Otherwise a
 * level of Cistern would multiply the reports of Netty. Calls on derived buffers are recorded for
 * the buffer below.
 */
@NullMarked
final class CisternLeakAwareByteBuf extends WrappedByteBuf {
  /** Wrapper that reports changes of the reference count. */
  private final ByteBuf counts;

  private final CisternTrackers trackers;

  /** Netty's tracker, or null if Netty's detector does not watch the buffer. */
  private final @Nullable ResourceLeakTracker<ByteBuf> host;

  private CisternLeakAwareByteBuf(
      ByteBuf accesses,
      ByteBuf counts,
      CisternTrackers trackers,
      @Nullable ResourceLeakTracker<ByteBuf> host) {
    super(accesses);
    this.counts = counts;
    this.trackers = trackers;
    this.host = host;
  }

  /**
   * Returns a recording wrapper; the result type keeps the caller's class from needing this one.
   */
  static ByteBuf of(
      ByteBuf bare, CisternTrackers trackers, @Nullable ResourceLeakTracker<ByteBuf> host) {
    return new CisternLeakAwareByteBuf(
        new AdvancedLeakAwareByteBuf(bare, trackers.of(host, false)),
        new AdvancedLeakAwareByteBuf(bare, trackers.of(host, true)),
        trackers,
        host);
  }

  /** Returns a wrapper of a view that shares this buffer's count. */
  private ByteBuf view(ByteBuf view) {
    return new CisternLeakAwareByteBuf(view, counts, trackers, host);
  }

  /** Returns a wrapper of a retained view that Netty does not watch. */
  private ByteBuf unseen(ByteBuf retained) {
    return of(retained, trackers, null);
  }

  /**
   * Returns a wrapper of a retained view that Netty has created. Netty watches the view if it has
   * its own count.
   */
  private ByteBuf seen(ByteBuf retained) {
    ResourceLeakTracker<ByteBuf> tracker = CisternHook.trackerOf(retained);
    if (tracker == null) {
      return unseen(retained);
    }
    return tracker == CisternHook.trackerOf(buf)
        ? view(retained)
        : of(retained.unwrap(), trackers, tracker);
  }

  private void recordCount() {
    ResourceLeakTracker<ByteBuf> tracker = CisternHook.trackerOf(counts);
    if (tracker != null) {
      tracker.record();
    }
  }

  @Override
  public ByteBuf slice() {
    return view(buf.slice());
  }

  @Override
  public ByteBuf slice(int index, int length) {
    return view(buf.slice(index, length));
  }

  @Override
  public ByteBuf readSlice(int length) {
    return view(buf.readSlice(length));
  }

  @Override
  public ByteBuf duplicate() {
    return view(buf.duplicate());
  }

  @Override
  public ByteBuf asReadOnly() {
    return view(buf.asReadOnly());
  }

  @Override
  @SuppressWarnings("deprecation") // hosts call it
  public ByteBuf order(ByteOrder endianness) {
    return endianness == order() ? this : view(buf.order(endianness));
  }

  @Override
  public ByteBuf retainedSlice() {
    if (host != null) {
      return seen(buf.retainedSlice());
    }
    recordCount();
    return unseen(buf.unwrap().retainedSlice());
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    if (host != null) {
      return seen(buf.retainedSlice(index, length));
    }
    recordCount();
    return unseen(buf.unwrap().retainedSlice(index, length));
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    if (host != null) {
      return seen(buf.readRetainedSlice(length));
    }
    recordCount();
    return unseen(buf.unwrap().readRetainedSlice(length));
  }

  @Override
  public ByteBuf retainedDuplicate() {
    if (host != null) {
      return seen(buf.retainedDuplicate());
    }
    recordCount();
    return unseen(buf.unwrap().retainedDuplicate());
  }

  @Override
  public ByteBuf retain() {
    ByteBuf unused = counts.retain();
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    ByteBuf unused = counts.retain(increment);
    return this;
  }

  @Override
  public boolean release() {
    return counts.release();
  }

  @Override
  public boolean release(int decrement) {
    return counts.release(decrement);
  }
}
