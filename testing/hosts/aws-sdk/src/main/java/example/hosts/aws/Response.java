/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.aws;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** Collects the body of a response. */
final class Response implements SdkAsyncHttpResponseHandler, Subscriber<ByteBuffer> {
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();

  byte[] body() throws Exception {
    return body.get();
  }

  @Override
  public void onHeaders(SdkHttpResponse headers) {
    if (!headers.isSuccessful()) {
      body.completeExceptionally(new IllegalStateException("status " + headers.statusCode()));
    }
  }

  @Override
  public void onStream(Publisher<ByteBuffer> stream) {
    stream.subscribe(this);
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(ByteBuffer part) {
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    received.writeBytes(bytes);
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(received.toByteArray());
  }
}
