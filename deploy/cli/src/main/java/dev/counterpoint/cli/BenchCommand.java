package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A small load: enough to see whether a deployment is as fast as expected. `deploy/perf` measures.
@Command(
        name = "bench",
        description = "Asks the same question many times and prints answers/s, time to the first text, and tokens/s.")
final class BenchCommand implements Callable<Integer> {
    private static final int AT_ONCE_MAX = 1_000;

    @Mixin
    private RequestOptions options = new RequestOptions();

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            defaultValue = "20",
            description = "Requests; ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = {"-c", "--concurrent"},
            paramLabel = "N",
            defaultValue = "4",
            description = "Of these at once; ${DEFAULT-VALUE}.")
    private int concurrent;

    @Option(names = "--prompt", paramLabel = "TEXT", defaultValue = "Count to ten.", description = "The question.")
    private String prompt = "";

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    /// One stream with its times. Confined to its caller.
    private static final class Answer {
        private final long began = System.nanoTime();
        private long firstText = -1;
        private long whole;
        private long tokens;
    }

    @Override
    public Integer call() {
        if (requests < 1 || concurrent < 1 || concurrent > AT_ONCE_MAX) {
            throw CommandFailure.notAsked("At least one request, and from 1 to " + AT_ONCE_MAX + " at once.");
        }
        var client = options.client();
        var request =
                options.request(client).put("input", prompt).put("stream", true).put("store", false);
        long began = System.nanoTime();
        try (var callers =
                Executors.newFixedThreadPool(concurrent, Thread.ofVirtual().factory())) {
            for (int i = 0; i < requests; i++) {
                callers.execute(() -> ask(client, request));
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        failures.stream().distinct().forEach(line -> options.terminal().error("Failed: " + line));
        var figures = SuiteClient.JSON
                .createObjectNode()
                .put("answers", answers.size())
                .put("failed", failures.size())
                .put("answers_per_s", rounded(answers.size() / seconds))
                .put(
                        "tokens_per_s",
                        rounded(answers.stream().mapToLong(one -> one.tokens).sum() / seconds))
                .put("first_text_ms_p50", millis(one -> one.firstText, 50))
                .put("first_text_ms_p99", millis(one -> one.firstText, 99))
                .put("answer_ms_p50", millis(one -> one.whole, 50))
                .put("answer_ms_p99", millis(one -> one.whole, 99));
        options.print(
                figures, figures.properties().stream().map(one -> one.getKey()).toArray(String[]::new));
        return failures.isEmpty() ? 0 : CommandFailure.REFUSED;
    }

    private void ask(SuiteClient client, ObjectNode request) {
        try {
            answer(client, request);
        } catch (CommandFailure e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private void answer(SuiteClient client, ObjectNode request) {
        var answer = new Answer();
        var printer = new AnswerPrinter(CommandOutput.NOWHERE, RequestOptions.Reasoning.none);
        client.stream("/responses", request, event -> {
            printer.accept(event);
            var type = event.path("type").asText();
            answer.firstText = answer.firstText < 0 && type.equals("response.output_text.delta")
                    ? System.nanoTime() - answer.began
                    : answer.firstText;
            answer.tokens = event.at("/response/usage/output_tokens").asLong(answer.tokens);
        });
        printer.finish();
        answer.whole = System.nanoTime() - answer.began;
        answers.add(answer);
    }

    private double millis(ToLongFunction<Answer> nanos, int percentile) {
        var sorted = answers.stream()
                .mapToLong(nanos)
                .filter(one -> one >= 0)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : rounded(sorted[(sorted.length - 1) * percentile / 100] / 1e6);
    }

    private static double rounded(double figure) {
        return Math.round(figure * 10) / 10.0;
    }
}
