/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/**
 * Where an object was used. The virtual machine notes the frames of a throwable in one go; their
 * names, which cost most, are looked up only when a leak is reported (seed row E2).
 */
final class AccessRecord extends Throwable {
  private static final long serialVersionUID = 1L;

  /** The access before this one, if it is still kept. Written by whoever records or cuts. */
  transient volatile @Nullable AccessRecord earlier;

  /** Accesses up to this one. Written before it is published. */
  transient long number;

  /** Records in the list that begins here, as far as its authors know. As above. */
  transient int listed;

  AccessRecord(@Nullable Object hint) {
    super(text(hint), null, false, true);
  }

  /** The hint's text as it is now: the object may be another one when the leak is found. */
  private static @Nullable String text(@Nullable Object hint) {
    if (hint == null) {
      return null;
    }
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }
}
