/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.grpc;

import example.hosts.common.Answers;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The calls that the server supports. A message is its bytes, so no generated code is needed. */
public final class Calls {
  /** A call with one message, which the server sends back. */
  static final MethodDescriptor<byte[], byte[]> ECHO = method(MethodType.UNARY, "echo");

  /** A call with one message and {@link Answers#PARTS} responses. */
  static final MethodDescriptor<byte[], byte[]> STREAM =
      method(MethodType.SERVER_STREAMING, "stream");

  /** A call whose messages the server sends back as they arrive. */
  static final MethodDescriptor<byte[], byte[]> CHAT = method(MethodType.BIDI_STREAMING, "chat");

  private static final String SERVICE = "example.hosts.Calls";

  private Calls() {}

  /** Returns the implementation of the server. */
  public static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(ECHO, ServerCalls.asyncUnaryCall(Calls::echo))
        .addMethod(STREAM, ServerCalls.asyncServerStreamingCall(Calls::stream))
        .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(Chat::new))
        .build();
  }

  private static void echo(byte[] message, StreamObserver<byte[]> answers) {
    answers.onNext(message);
    answers.onCompleted();
  }

  private static void stream(byte[] message, StreamObserver<byte[]> answers) {
    for (int part = 0; part < Answers.PARTS; part++) {
      answers.onNext(Answers.part(part));
    }
    answers.onCompleted();
  }

  /** Sends back all messages. */
  private record Chat(StreamObserver<byte[]> answers) implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {
      answers.onNext(message);
    }

    @Override
    public void onError(Throwable failure) {
      answers.onError(failure);
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Passes a message through unchanged. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
