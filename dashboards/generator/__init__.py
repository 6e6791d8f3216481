# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the Grafana dashboards: one module for each dashboard, and modules for their common frame and queries."""
