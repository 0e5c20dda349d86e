package dev.counterpoint.engine.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request to a server came to nothing. The message is for operators and holds no content.
public final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1;
    private static final Set<Integer> REFUSES_ITS_WORK = Set.of(401, 403, 404, 405);
    /// A request is too long for the model. Servers agree on no code for it, so their words are searched, too: OpenAI
    /// and vLLM (`context_length_exceeded`, `maximum context length`), llama-server (`exceed_context_size_error`),
    /// Anthropic (`prompt is too long`), Google (`exceeds the maximum number of tokens`), Ollama and LM Studio
    /// (`context length`, `context overflow`).
    private static final Pattern LENGTH = Pattern.compile(
            "context[ _-]?(?:length|size|window|overflow|limit)|exceed_context|maximum (?:number of |input )?tokens"
                    + "|(?:prompt|input|request|messages?) (?:is|are|was) too (?:long|large)|too many (?:input )?tokens"
                    + "|max_seq_len|max_model_len|reduce the length",
            Pattern.CASE_INSENSITIVE);

    /// The kind decides what the caller does next.
    enum Kind {
        /// Nobody is there: try another server, and leave this one out.
        UNREACHABLE,
        /// The connection broke: try another server, or the same one over a new connection.
        CUT,
        /// The server broke: try another.
        BROKEN,
        /// The server is well and has too much to do: try another, or this one later.
        BUSY,
        /// The server is late; another would not help.
        LATE,
        /// The server sent an invalid answer; another server would not help.
        WRONG,
        /// The server refuses what it is there for (another key, a closed path, another model): try another, and
        /// leave this one out until it was examined again.
        UNFIT,
        /// The server is well, the request is not: another attempt would be refused too.
        MISTAKE,
        /// As [#MISTAKE], and the server says that prompt and output are longer than the model's context.
        TOO_LONG
    }

    private final Kind kind;
    /// As HTTP has it; 0 where no answer came.
    private final int status;

    private final transient @Nullable Duration retryAfter;

    ServerFailure(Kind kind, String message) {
        this(kind, message, 0, null);
    }

    private ServerFailure(Kind kind, String message, int status, @Nullable Duration retryAfter) {
        super(message);
        this.kind = kind;
        this.status = status;
        this.retryAfter = retryAfter;
    }

    public static ServerFailure wrong(String message) {
        return new ServerFailure(Kind.WRONG, message);
    }

    static ServerFailure late(String message) {
        return new ServerFailure(Kind.LATE, message);
    }

    public static ServerFailure broken(String message) {
        return new ServerFailure(Kind.BROKEN, message);
    }

    /// The server's configuration keeps it from serving.
    ///
    /// @param message description of the problem for the server's operator
    public static ServerFailure unfit(String message) {
        return new ServerFailure(Kind.UNFIT, message);
    }

    /// The server says that the request is wrong.
    public static ServerFailure mistake(String message) {
        return new ServerFailure(Kind.MISTAKE, message);
    }

    /// The failure that an HTTP status other than 200 means.
    ///
    /// @param retryAfter the header of that name
    /// @param body of the answer, or its beginning; read for what is wrong, and never passed on
    static ServerFailure ofStatus(int status, @Nullable String retryAfter, String body) {
        var pause = retryAfter == null ? null : retryAfter(retryAfter.strip());
        return new ServerFailure(kind(status, body, pause), "the server answered with HTTP " + status, status, pause);
    }

    /// RFC 9110, 10.2.3: seconds, with a fraction at some servers, or a date.
    private static @Nullable Duration retryAfter(String value) {
        try {
            if (value.matches("\\d{1,6}(?:\\.\\d{1,9})?")) {
                return Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000));
            }
            var date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            var wait = Duration.between(Instant.now(), date);
            return wait.isPositive() ? wait : Duration.ZERO;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /// The failure that an error inside a stream of status 200 means.
    ///
    /// @param code as HTTP has it
    /// @param words of the server; read for what is wrong, and never passed on
    public static ServerFailure reported(int code, String words) {
        return new ServerFailure(kind(code, words, null), "the server reports error " + code, code, null);
    }

    /// The same failure where nothing of the request can be the cause of a status that speaks of keys, paths and
    /// models: the server is not what it should be.
    public ServerFailure blamingTheServer() {
        return REFUSES_ITS_WORK.contains(status) ? unfit(String.valueOf(getMessage())) : this;
    }

    private static Kind kind(int status, String body, @Nullable Duration retryAfter) {
        if (status == 429 || status == 503 && retryAfter != null) {
            return Kind.BUSY;
        }
        // 408, 409 and 425 are refusals of the moment, all others below 500 of the request.
        if (status < 400 || status >= 500 || status == 408 || status == 409 || status == 425) {
            return Kind.BROKEN;
        }
        return LENGTH.matcher(body).find() ? Kind.TOO_LONG : Kind.MISTAKE;
    }

    /// True if the server says that the request itself is wrong, or not allowed.
    public boolean isMistake() {
        return kind == Kind.MISTAKE || kind == Kind.TOO_LONG;
    }

    /// True if the server refuses a request for a reason that no caller can mend: its key, its path or its model.
    boolean isForOperators() {
        return kind == Kind.MISTAKE && REFUSES_ITS_WORK.contains(status);
    }

    /// True if the server says that the request does not fit the model's context.
    public boolean isTooLong() {
        return kind == Kind.TOO_LONG;
    }

    /// True if the server has too much to do, or did not answer in time.
    public boolean isOverload() {
        return kind == Kind.BUSY || kind == Kind.LATE;
    }

    /// The HTTP status that the server answered with; 0 where it did not.
    public int status() {
        return status;
    }

    Kind kind() {
        return kind;
    }

    /// The delay that the server requests before the next attempt; null when the server named none.
    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /// True if the same request may succeed elsewhere, or later.
    boolean anotherMayDo() {
        return switch (kind) {
            case UNREACHABLE, CUT, BROKEN, BUSY, UNFIT -> true;
            case LATE, WRONG, MISTAKE, TOO_LONG -> false;
        };
    }
}
