/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty.handler.codec;

/** Class with the name of one of Netty's. */
public class MessageAggregator {}
