/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** The manifests of {@code docker/kubernetes}, as kustomize renders them. */
package dev.cistern.stack.kubernetes;
