package dev.counterpoint.local.e2e;

/// When a caller heard what of one streamed answer.
///
/// @param firstMillis from the request to the first text
/// @param lastMillis from the request to the last text
record TimedStream(double firstMillis, double lastMillis, int promptTokens) {
    private static final String DELTA = "response.output_text.delta";

    /// Asks greedily and reads to the end, which comes after so many tokens.
    static TimedStream of(ApiClient caller, String model, int number, int tokens) {
        var body = """
                {"model":"%s","input":"Question %d","stream":true,"temperature":0,"max_output_tokens":%d}""".formatted(model, number, tokens);
        var times = new double[2];
        long begun = System.nanoTime();
        var events = caller.stream("/v1/responses", body, event -> {
            if (DELTA.equals(event.event())) {
                times[1] = (System.nanoTime() - begun) / 1e6;
                times[0] = times[0] == 0 ? times[1] : times[0];
            }
        });
        var usage = Streams.bodies(events).getLast().path("response").path("usage");
        if (usage.path("output_tokens").asInt() != tokens) {
            throw new IllegalStateException("not " + tokens + " tokens: " + usage);
        }
        return new TimedStream(times[0], times[1], usage.path("input_tokens").asInt());
    }

    /// Tokens a second after the first.
    double rate(int tokens) {
        return (tokens - 1) / ((lastMillis - firstMillis) / 1000);
    }
}
