/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty.handler.codec.http2;

import example.netty.handler.codec.ByteToMessageDecoder;

/** Has the name of a class of Netty. */
public class Http2ConnectionHandler extends ByteToMessageDecoder {}
