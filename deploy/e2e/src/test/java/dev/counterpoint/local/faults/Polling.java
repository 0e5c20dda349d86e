package dev.counterpoint.local.faults;

import dev.counterpoint.local.faults.AskedQuestion.Conduct;
import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Follows a background response from any gateway that answers, and cancels or deletes it on the way if its conduct
/// says so. For one thread.
final class Polling {
    private static final Set<String> ENDED = Set.of("completed", "failed", "incomplete", "cancelled");
    private static final Duration REQUEST_MAX = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final long POLL_MILLIS = 400;

    private final List<URI> gateways;
    private final Http http;
    private final Offers offers;
    private final Random random;

    Polling(List<URI> gateways, Http http, Offers offers, Random random) {
        this.gateways = gateways;
        this.http = http;
        this.offers = offers;
        this.random = random;
    }

    /// One request to a gateway.
    private interface Exchange {
        Http.Answer with(URI gateway) throws IOException, InterruptedException;
    }

    /// @param accepted the answer to the request
    HeardAnswer follow(AskedQuestion ask, Http.Answer accepted) throws InterruptedException {
        var path = "/v1/responses/" + HeardAnswer.idIn(accepted.body()).orElseThrow();
        if (ask.conduct() != Conduct.STAY) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        }
        if (ask.conduct() == Conduct.CANCEL && offers.cancel()) {
            insist(gateway -> http.post(gateway.resolve(path + "/cancel"), "", REQUEST_MAX));
        }
        if (ask.conduct() == Conduct.DELETE) {
            return heard(ask, delete(path), accepted);
        }
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            var answer = insist(gateway -> http.get(gateway.resolve(path), REQUEST_MAX));
            if (answer.status() == 404) {
                return heard(ask, Outcome.VANISHED, accepted);
            }
            if (answer.status() == 200
                    && ENDED.contains(
                            Question.tree(answer.body()).path("status").asText())) {
                return heard(ask, Outcome.WHOLE, answer);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return heard(ask, Outcome.GAVE_UP, accepted);
    }

    private static HeardAnswer heard(AskedQuestion ask, Outcome outcome, Http.Answer last) {
        return new HeardAnswer(ask, outcome, 200, List.of(), last.body());
    }

    /// A deletion whose answer got lost may have happened, so its second try may find nothing.
    private Outcome delete(String path) throws InterruptedException {
        var deleted = insist(gateway -> http.delete(gateway.resolve(path), REQUEST_MAX));
        if (deleted.status() != 200 && deleted.status() != 404) {
            return Outcome.GAVE_UP;
        }
        for (int look = 0; look < gateways.size(); look++) {
            if (insist(gateway -> http.get(gateway.resolve(path), REQUEST_MAX)).status() == 200) {
                return Outcome.REVIVED;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return Outcome.DELETED;
    }

    /// Asks one gateway after the other until one says yes or no.
    private Http.Answer insist(Exchange exchange) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        var answer = new Http.Answer(0, "");
        while (System.nanoTime() < until) {
            try {
                answer = exchange.with(gateways.get(random.nextInt(gateways.size())));
                if (answer.status() < 429) {
                    return answer;
                }
            } catch (IOException nobody) {
                // The next one.
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return answer;
    }
}
