/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.aws;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** Publishes the body of a request in one piece. */
final class OneBody implements SdkHttpContentPublisher {
  private final byte[] body;

  OneBody(byte[] body) {
    this.body = body;
  }

  @Override
  public Optional<Long> contentLength() {
    return Optional.of((long) body.length);
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    AtomicBoolean ended = new AtomicBoolean();
    subscriber.onSubscribe(
        new Subscription() {
          @Override
          public void request(long count) {
            if (ended.compareAndSet(false, true)) {
              subscriber.onNext(ByteBuffer.wrap(body));
              subscriber.onComplete();
            }
          }

          @Override
          public void cancel() {
            ended.set(true);
          }
        });
  }
}
