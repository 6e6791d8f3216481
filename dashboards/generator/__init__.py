# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the Grafana dashboards; a file for each, over the frame and the queries that they share."""
