package dev.counterpoint.local.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.local.faults.AskedQuestion.Conduct;
import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Sends one request and does what its conduct says, whatever becomes of the gateways meanwhile. For one thread.
final class FaultCaller {
    private static final Duration SHORT = Duration.ofSeconds(15);
    private static final long PAUSE_MILLIS = 500;
    /// For the answer of a background response, and for a gateway to take a stream up again.
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    private final List<URI> gateways;
    private final String model;
    private final Offers offers;
    private final Random random;

    FaultCaller(List<URI> gateways, String model, Offers offers, Random random) {
        this.gateways = gateways;
        this.model = model;
        this.offers = offers;
        this.random = random;
    }

    /// @param called what the answer before said, where this one goes on with it
    HeardAnswer call(AskedQuestion ask, Http http, Iterable<JsonNode> called) throws InterruptedException {
        var body = ask.body(model, called);
        int gateway = random.nextInt(gateways.size());
        var address = gateways.get(gateway).resolve(ask.path());
        try {
            return switch (ask.manner()) {
                case STREAM -> stream(ask, http, gateway, body);
                case WHOLE -> whole(ask, http.post(address, body, leavesAfter(ask)));
                case BACKGROUND -> {
                    var answer = http.post(address, body, SHORT);
                    yield answer.status() == 200
                            ? new Polling(gateways, http, offers, random).follow(ask, answer)
                            : whole(ask, answer);
                }
            };
        } catch (IOException nobody) {
            var left = ask.conduct() == Conduct.LEAVE && nobody instanceof HttpTimeoutException;
            return new HeardAnswer(ask, left ? Outcome.LEFT : Outcome.UNREACHED, 0, List.of(), "");
        }
    }

    private Duration leavesAfter(AskedQuestion ask) {
        return ask.conduct() == Conduct.LEAVE ? Duration.ofMillis(200 + random.nextInt(2_000)) : PATIENCE;
    }

    private static HeardAnswer whole(AskedQuestion ask, Http.Answer answer) {
        return new HeardAnswer(
                ask,
                answer.status() == 200 ? Outcome.WHOLE : Outcome.REFUSED,
                answer.status(),
                List.of(),
                answer.body());
    }

    private HeardAnswer stream(AskedQuestion ask, Http http, int gateway, String body)
            throws IOException, InterruptedException {
        var answer = http.open(gateways.get(gateway).resolve(ask.path()), body);
        if (answer.statusCode() != 200) {
            return refused(ask, answer);
        }
        var events = new ArrayList<String>();
        int leaveAfter = ask.conduct() == Conduct.STAY ? Integer.MAX_VALUE : 1 + random.nextInt(60);
        var outcome = StreamIn.read(answer.body(), events, leaveAfter);
        boolean again = outcome == Outcome.BROKEN || ask.conduct() == Conduct.RECONNECT && outcome == Outcome.LEFT;
        if (again && ask.stored() && ask.api() == AskedQuestion.Api.RESPONSES && offers.replay() && !events.isEmpty()) {
            outcome = resume(http, gateway, events);
        }
        return new HeardAnswer(ask, outcome, 200, events, "");
    }

    private static HeardAnswer refused(AskedQuestion ask, HttpResponse<InputStream> answer) throws IOException {
        try (var reason = answer.body()) {
            var text = new String(reason.readAllBytes(), StandardCharsets.UTF_8);
            return new HeardAnswer(ask, Outcome.REFUSED, answer.statusCode(), List.of(), text);
        }
    }

    /// Takes the stream up where it broke, at one gateway after the other until one has the rest.
    private Outcome resume(Http http, int gateway, List<String> events) throws InterruptedException {
        var id = HeardAnswer.idIn(events.getFirst()).orElseThrow();
        long until = System.nanoTime() + PATIENCE.toNanos();
        for (int attempt = 1; System.nanoTime() < until; attempt++) {
            int last = Question.tree(events.getLast()).path("sequence_number").asInt();
            var address = gateways.get((gateway + attempt) % gateways.size())
                    .resolve("/v1/responses/" + id + "?stream=true&starting_after=" + last);
            try {
                var answer = http.open(address);
                if (answer.statusCode() == 200) {
                    var outcome = StreamIn.read(answer.body(), events, Integer.MAX_VALUE);
                    if (outcome != Outcome.BROKEN) {
                        return outcome;
                    }
                } else {
                    answer.body().close();
                }
            } catch (IOException nobody) {
                // The next one.
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return Outcome.GAVE_UP;
    }
}
