/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/**
 * The committed dashboards, alerts, rules and runbook: tests of their conventions, and of every
 * query against live processes.
 */
package dev.cistern.dashboards;
