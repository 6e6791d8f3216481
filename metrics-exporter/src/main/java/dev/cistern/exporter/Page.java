/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;

/** Answers the requests for one path. */
interface Page {
  Answer answer(Request request) throws IOException;
}
