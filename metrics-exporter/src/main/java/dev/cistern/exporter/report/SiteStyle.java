/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * Form in which a client sees allocation sites: as names if it may see the application's code,
 * otherwise as hashes.
 */
public enum SiteStyle {
  NAMES {
    @Override
    public String of(String label) {
      return label;
    }
  },
  HASHES {
    @Override
    public String of(String label) {
      return SiteLabel.hash(label);
    }
  };

  /** Returns a label of {@link SiteLabel} in this style. */
  public abstract String of(String label);
}
