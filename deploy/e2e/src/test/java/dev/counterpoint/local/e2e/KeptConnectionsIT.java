package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A gateway stops behind a balancer that knows nothing of HTTP, while callers keep their connections: no request
/// fails. `-Dscale=10` for as many stops.
@Timeout(600)
@ExtendWith(SharedSuite.class)
class KeptConnectionsIT {
    private static final int STOPS = Integer.getInteger("scale", 1);
    private static final int CALLERS = 8;
    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    private static final Map<String, String> DRAINS = Map.of("GATEWAY_DRAIN_DELAY", "3s");

    private volatile boolean enough;

    @Test
    void aGatewayThatStopsFailsNoCallerThatKeepsItsConnection() throws Exception {
        try (var balancer = new TcpBalancer();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            // Given
            balancer.add(SharedSuite.gateways().getFirst());
            var stopping = SharedSuite.startGateway(DRAINS);
            balancer.add(stopping);
            var asking = IntStream.range(0, CALLERS)
                    .mapToObj(_ -> callers.submit((Callable<List<Integer>>) () -> ask(balancer)))
                    .toList();
            // When
            try {
                for (int stop = 1; stop <= STOPS; stop++) {
                    stopping.process().stop(STOP_MAX);
                    balancer.remove(stopping);
                    if (stop < STOPS) {
                        stopping = SharedSuite.startGateway(DRAINS);
                        balancer.add(stopping);
                    }
                }
            } finally {
                enough = true;
            }
            // Then
            for (var statuses : asking) {
                assertThat(statuses.get()).isNotEmpty().containsOnly(200);
            }
        }
    }

    private List<Integer> ask(TcpBalancer balancer) {
        var client = new ApiClient(balancer.address(), RunningSuite.SUMMARY_KEY);
        var statuses = new ArrayList<Integer>();
        do {
            statuses.add(client.post("/v1/responses", """
                            {"model":"%s","input":"Say hello."}""".formatted(RunningSuite.MODEL))
                    .status());
        } while (!enough);
        return statuses;
    }
}
