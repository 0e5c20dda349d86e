package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Requests that are wrong in all the ways we know: each is answered, in the one shape, by an error that names what is
/// at fault. `-Dinvalid.requests=10000 -Dseed=…` draws others, and more.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class InvalidRequestsIT {
    private static final int COUNT = Integer.getInteger("invalid.requests", 600);
    private static final long SEED = Long.getLong("seed", 20_261_122);
    private static final int CALLERS = 8;
    private static final int TOLD_MAX = 20;

    private final Api caller = Api.newCaller("reasoning:summary");

    @Test
    void everyMistakeIsAnsweredAndNamed() throws Exception {
        // When
        int asked = FakeModels.asked();
        var outcomes = new ArrayList<Outcome>();
        try (var threads = Executors.newFixedThreadPool(CALLERS)) {
            var tasks = IntStream.range(0, CALLERS)
                    .<Callable<List<Outcome>>>mapToObj(thread -> () -> ask(SEED + thread))
                    .toList();
            for (var task : threads.invokeAll(tasks)) {
                outcomes.addAll(task.get());
            }
        }

        // Then
        var complaints = outcomes.stream()
                .map(Outcome::complaint)
                .filter(complaint -> !complaint.isEmpty())
                .distinct()
                .limit(TOLD_MAX)
                .toList();
        assertThat(complaints).as("seed " + SEED).isEmpty();
        assertThat(FakeModels.asked()).as("nothing wrong reached a model").isEqualTo(asked);
        Map<Integer, Integer> statuses = new TreeMap<>();
        outcomes.forEach(outcome -> statuses.merge(outcome.status, 1, Integer::sum));
        System.out.printf("invalid requests: %d, seed %d, by status %s%n", outcomes.size(), SEED, statuses);
    }

    /// @param complaint empty when the answer is as it should be
    private record Outcome(int status, String complaint) {}

    private List<Outcome> ask(long seed) {
        var requests = new InvalidRequests(caller, seed);
        var outcomes = new ArrayList<Outcome>();
        for (int i = 0; i < COUNT / CALLERS; i++) {
            var wrong = requests.next();
            var answer = caller.send(wrong.request()); // gives up after 30 s
            outcomes.add(new Outcome(answer.status(), complaint(wrong, answer)));
        }
        return outcomes;
    }

    private static String complaint(InvalidRequests.Wrong wrong, Api.Answer answer) {
        if (answer.status() < 400 || answer.status() > 499) {
            return wrong.name() + ": status " + answer.status();
        }
        var error = answer.json().path("error");
        if (!error.hasNonNull("message") || !error.hasNonNull("type") || !error.has("param") || !error.has("code")) {
            return wrong.name() + ": " + answer.json();
        }
        if (answer.header("x-request-id").isEmpty()) {
            return wrong.name() + ": no x-request-id";
        }
        var param = error.path("param").asText("");
        return wrong.member().isEmpty() || param.startsWith(wrong.member())
                ? ""
                : "%s: names '%s' and not '%s': %s"
                        .formatted(
                                wrong.name(),
                                param,
                                wrong.member(),
                                error.path("message").asText());
    }
}
