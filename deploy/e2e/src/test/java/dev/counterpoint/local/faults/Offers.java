package dev.counterpoint.local.faults;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/// What of the API this build has, found out by asking, so that the run uses all of it.
///
/// @param replay whether a stream can be taken up again
/// @param cancel whether a background response can be cancelled
record Offers(boolean replay, boolean cancel) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static Offers find(URI gateway, Http http, String model) throws IOException, InterruptedException {
        var body = "{\"model\":\"%s\",\"input\":\"What is 17 plus 25?\",\"background\":true,\"store\":true}"
                .formatted(model);
        var id = HeardAnswer.idIn(
                        http.post(gateway.resolve("/v1/responses"), body, LIMIT).body())
                .orElseThrow(() -> new IllegalStateException("the suite takes no background response"));
        var response = "/v1/responses/" + id;
        var replayed = http.get(gateway.resolve(response + "?stream=true"), LIMIT);
        var cancelled = http.post(gateway.resolve(response + "/cancel"), "", LIMIT);
        return new Offers(
                replayed.status() == 200 && replayed.body().contains(HeardAnswer.DONE),
                cancelled.status() != 404 && cancelled.status() != 405);
    }
}
