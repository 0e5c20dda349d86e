package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.time.Duration;
import java.util.Locale;

/// Why a request is refused. A limit of one tenant is a 429, a full gateway a 503, because another replica may
/// have room.
enum AdmissionRefusal {
    OPEN("Too many requests are under way; try again shortly."),
    WAITING("Too many requests wait for the model; try again shortly."),
    TENANT_OPEN("Rate limit reached for requests under way at once: limit %d."),
    TENANT_WAITING("Rate limit reached for requests that wait at once: limit %d."),
    KEY_CRASHED_WORKERS(
            "Requests of this API key crashed the model's workers twice within ten minutes. The key is refused"
                    + " for ten minutes. Do not send these requests again.");

    private static final Duration WAIT = Duration.ofSeconds(2);

    private final String message;

    AdmissionRefusal(String message) {
        this.message = message;
    }

    /// Its name in metrics.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    ProblemException problem(int limit) {
        return problem(message.formatted(limit), WAIT);
    }

    ProblemException problem(Duration wait) {
        return problem(message, wait);
    }

    private ProblemException problem(String text, Duration wait) {
        return new ProblemException(
                switch (this) {
                    case OPEN -> Problem.unavailable("server_is_overloaded", text, wait);
                    case WAITING -> Problem.unavailable("slow_down", text, wait);
                    case TENANT_OPEN, TENANT_WAITING -> Problem.rateLimited(text, wait);
                    case KEY_CRASHED_WORKERS -> Problem.rateLimited(label(), text, wait);
                });
    }
}
