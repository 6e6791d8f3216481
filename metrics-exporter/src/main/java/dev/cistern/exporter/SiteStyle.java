/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** How allocation sites are named: to those who may know the application's code, and to others. */
enum SiteStyle {
  NAMES {
    @Override
    String of(String label) {
      return label;
    }
  },
  HASHES {
    @Override
    String of(String label) {
      return SiteLabel.hash(label);
    }
  };

  /** What a label of {@link SiteLabel} is in this style. */
  abstract String of(String label);
}
