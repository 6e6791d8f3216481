/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.ssl.SslProvider;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All workloads by their names, which begin with an id in docs/internals/requirements.md. */
public final class Workloads {
  /** The number of warm-up iterations for a codec or a helper. */
  private static final int SHORT = 32;

  /** The number of warm-up iterations for a workload with a transport, or with much more code. */
  private static final int LONG = 48;

  /** The number of warm-up iterations for gRPC, whose code takes the compiler longer. */
  private static final int GRPC = 100;

  /**
   * One workload.
   *
   * @param id id in docs/internals/requirements.md, and name
   * @param type its class
   * @param warmups number of iterations of 50 ms until it reaches its full speed
   * @param parameters parameters of the benchmark
   * @param missing supplies the reason why the workload cannot run on this machine, or null
   */
  public record Entry(
      String id,
      Class<? extends Workload> type,
      int warmups,
      Map<String, String> parameters,
      Supplier<@Nullable String> missing) {

    Entry(String id, Class<? extends Workload> type, int warmups) {
      this(id, type, warmups, Map.of(), () -> null);
    }

    /** Creates a new instance. */
    Workload make() throws ReflectiveOperationException {
      Workload workload = type.getConstructor().newInstance();
      String engine = parameters.get("engine");
      return workload instanceof Tls tls && engine != null
          ? tls.by(SslProvider.valueOf(engine))
          : workload;
    }

    /** Returns the name of the benchmark, without the package of all benchmarks. */
    public String benchmark() {
      return "host." + type.getSimpleName() + ".operation";
    }
  }

  private static final List<Entry> ALL =
      List.of(
          with("J1/http1-decode", Http1Decode.class, SHORT),
          with("J1/http1-encode", Http1Encode.class, SHORT),
          with("J1/http1-aggregate", Http1Aggregate.class, SHORT),
          with("J1/plaintext-server", PlaintextServer.class, LONG),
          with("J2/hpack-encode", HpackEncode.class, SHORT),
          with("J2/hpack-decode", HpackDecode.class, SHORT),
          with("J2/frame-write", FrameWrite.class, SHORT),
          with("J2/frame-read", FrameRead.class, SHORT),
          with("J2/flow-control", FlowControl.class, LONG),
          with("J2/grpc-unary", GrpcUnary.class, GRPC),
          with("J2/grpc-stream", GrpcStream.class, GRPC),
          tls("J3/tls-handshake", TlsHandshake.class, SslProvider.JDK),
          tls("J3/tls-wrap", TlsWrap.class, SslProvider.JDK),
          tls("J3/tls-transfer", TlsTransfer.class, SslProvider.JDK),
          tls("J3/tls-packets", TlsPackets.class, SslProvider.JDK),
          tls("J3/tls-handshake", TlsHandshake.class, SslProvider.OPENSSL),
          tls("J3/tls-transfer", TlsTransfer.class, SslProvider.OPENSSL),
          tls("J3/tls-packets", TlsPackets.class, SslProvider.OPENSSL),
          epoll("J4/epoll-echo", EpollEcho.class),
          epoll("J4/epoll-gather", EpollGather.class),
          with("J5/scheduled-cancel", ScheduledCancel.class, SHORT),
          with("J5/headers", Headers.class, SHORT),
          with("J5/method-lookup", MethodLookup.class, SHORT),
          with("J5/csv-escape", CsvEscape.class, SHORT),
          with("J5/ip-parse", IpParse.class, SHORT),
          with("J5/dates", Dates.class, SHORT),
          with("J5/cookies", Cookies.class, SHORT),
          with("J5/line-encode", LineEncode.class, SHORT),
          with("J5/base64", Base64Both.class, SHORT));

  private Workloads() {}

  /** Returns the workloads in the order of their ids. */
  public static List<Entry> all() {
    return ALL;
  }

  private static Entry with(String id, Class<? extends Workload> type, int warmups) {
    return new Entry(id, type, warmups);
  }

  private static Entry tls(String id, Class<? extends Tls> type, SslProvider engine) {
    return new Entry(
        id + "-" + engine.name().toLowerCase(Locale.ROOT),
        type,
        LONG,
        Map.of("engine", engine.name()),
        () -> engine == SslProvider.JDK ? null : Tls.withoutOpenSsl());
  }

  private static Entry epoll(String id, Class<? extends Epolled> type) {
    return new Entry(id, type, LONG, Map.of(), Epolled::withoutEpoll);
  }
}
