package dev.counterpoint.local.faults;

import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads responses again from every gateway: each tells the same events, and they are those that the caller saw.
final class ReplicaCheck {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<URI> gateways;
    private final FaultLoad.Keys keys;

    ReplicaCheck(List<URI> gateways, FaultLoad.Keys keys) {
        this.gateways = gateways;
        this.keys = keys;
    }

    /// Whether it can be read again.
    static boolean covers(HeardAnswer heard) {
        var ask = heard.ask();
        return ask.api() == AskedQuestion.Api.RESPONSES
                && ask.stored()
                && heard.outcome() != Outcome.DELETED
                && heard.id().isPresent();
    }

    /// @param replay whether streams can be read again; else only the stored responses are
    List<Violation> check(HeardAnswer heard, boolean replay) throws InterruptedException {
        var found = new Violations(
                "request %d %s".formatted(heard.ask().number(), heard.id().orElseThrow()));
        var path = "/v1/responses/" + heard.id().orElseThrow();
        compare("every gateway has the same response", ask(heard, path), found);
        if (replay) {
            var streams = ask(heard, path + "?stream=true");
            compare("every gateway has the same events", streams, found);
            compareWithSeen(heard, events(streams.getFirst()), found);
            if (!heard.events().isEmpty()) {
                rest(heard, path, events(streams.getFirst()), found);
            }
        }
        return found.found();
    }

    /// From a place in the middle it is exactly the rest.
    private void rest(HeardAnswer heard, String path, List<String> whole, Violations found)
            throws InterruptedException {
        int after = heard.events().size() / 2;
        for (var rest : ask(heard, path + "?stream=true&starting_after=" + after)) {
            found.require(
                    "a stream goes on where it is asked to",
                    events(rest).equals(whole.subList(Math.min(after + 1, whole.size()), whole.size())),
                    "after %d it is not the rest of %d events".formatted(after, whole.size()));
        }
    }

    static void compare(String rule, List<String> bodies, Violations found) {
        long different = bodies.stream().distinct().count();
        found.require(rule, different == 1, different + " different ones");
    }

    static void compareWithSeen(HeardAnswer heard, List<String> again, Violations found) {
        var seen = heard.events();
        boolean same = seen.size() <= again.size() && seen.equals(again.subList(0, seen.size()));
        found.require(
                "a stream read again is the stream that was seen",
                same && (seen.isEmpty() || heard.outcome() != Outcome.WHOLE || seen.size() == again.size()),
                "%d events were seen, %d are read again".formatted(seen.size(), again.size()));
    }

    private List<String> ask(HeardAnswer heard, String path) throws InterruptedException {
        var answers = new ArrayList<String>();
        for (var gateway : gateways) {
            try {
                var answer = keys.of(heard.ask()).get(gateway.resolve(path), LIMIT);
                answers.add(answer.status() == 200 ? answer.body() : "status " + answer.status());
            } catch (IOException failure) {
                answers.add(failure.toString());
            }
        }
        return answers;
    }

    private static List<String> events(String body) {
        return body.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring("data: ".length()))
                .toList();
    }
}
