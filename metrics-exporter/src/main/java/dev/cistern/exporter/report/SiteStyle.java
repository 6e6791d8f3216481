/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/** How allocation sites are named: to those who may know the application's code, and to others. */
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
