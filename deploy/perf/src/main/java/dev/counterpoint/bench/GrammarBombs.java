package dev.counterpoint.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Sends eight regular expressions whose automata explode to a running suite, and measures another caller beside them:
/// `. deploy/local/.state/env && java deploy/perf/src/main/java/dev/counterpoint/bench/GrammarBombs.java`. Prints each
/// bomb's answer and the caller's p99
/// without bombs, with bombs that wait, and with bombs that hang up after four seconds.
final class GrammarBombs {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String URL = System.getenv("COUNTERPOINT_URL") + "/v1/responses";
    private static final String MODEL = System.getenv().getOrDefault("COUNTERPOINT_MODEL", "counterpoint-simulated");
    private static final int BOMBS = 8;
    private static final int REQUESTS = 100;
    private static final Duration HANG_UP = Duration.ofSeconds(4);

    private record Answer(int status, String text, long millis) {}

    static void main() throws InterruptedException {
        long peace = p99();
        System.out.printf("without bombs: p99 %d ms%n", peace);
        for (boolean waits : new boolean[] {true, false}) {
            long run = System.currentTimeMillis();
            var bombs = new ArrayList<CompletableFuture<Answer>>();
            for (int i = 0; i < BOMBS; i++) {
                bombs.add(bomb(run + i, waits ? Duration.ofMinutes(5) : HANG_UP));
            }
            long beside = p99();
            var how = waits ? "wait" : "hang up";
            System.out.printf("bombs %s: p99 %d ms, ratio %.2f%n", how, beside, (double) beside / peace);
            bombs.forEach(each ->
                    System.out.println("  " + each.handle(GrammarBombs::told).join()));
        }
    }

    private static String told(Answer answer, Throwable failure) {
        return failure != null
                ? String.valueOf(failure.getCause())
                : answer.status + " after " + answer.millis + " ms: "
                        + answer.text.replaceAll("(?s).*?(\"code\": *\"[a-z_]*\"|grammar_too_complex).*", "$1");
    }

    /// The greatest but one in a hundred: the second greatest of a hundred requests.
    private static long p99() throws InterruptedException {
        var times = new ArrayList<Long>();
        for (int i = 0; i < REQUESTS; i++) {
            var body = "{\"model\":\"%s\",\"input\":\"Say one word.\"}".formatted(MODEL);
            var answer = send("COUNTERPOINT_RAW_API_KEY", body, Duration.ofMinutes(1))
                    .join();
            if (answer.status != 200) {
                System.out.println("refused: " + answer);
            }
            times.add(answer.millis);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        Collections.sort(times);
        return times.get(REQUESTS - 2);
    }

    private static CompletableFuture<Answer> bomb(long number, Duration patience) {
        var regex = "(.*a.{8})+(.*b.{8})+(%d)?".formatted(number);
        return send("COUNTERPOINT_API_KEY", """
                {"model":"%s","input":"x%d","max_output_tokens":200,"tool_choice":"required","tools":[{"type":"custom",
                 "name":"g","format":{"type":"grammar","syntax":"regex","definition":"%s"}}]}
                """.formatted(MODEL, number, regex), patience);
    }

    private static CompletableFuture<Answer> send(String key, String body, Duration patience) {
        long begin = System.nanoTime();
        var request = HttpRequest.newBuilder(URI.create(URL))
                .timeout(patience)
                .header("Authorization", "Bearer " + System.getenv(key))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString())
                .thenApply(answer -> new Answer(
                        answer.statusCode(), answer.body(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
    }
}
