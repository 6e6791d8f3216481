/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty.handler.codec;

/** Has the name of a class of Netty. */
public class ByteToMessageDecoder {}
