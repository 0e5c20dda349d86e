package dev.counterpoint.engine.http;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request to a server came to nothing. The message is for operators and holds no content.
public final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1;
    private static final Set<Integer> REFUSES_ITS_WORK = Set.of(401, 403, 404, 405);

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
        /// The server says what it should not; another would not help.
        WRONG,
        /// The server refuses what it is there for (another key, a closed path, another model): try another, and leave
        /// this one out until it was examined again.
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

    /// The server says that the request is wrong.
    public static ServerFailure mistake(String message) {
        return new ServerFailure(Kind.MISTAKE, message);
    }

    /// The failure that an HTTP status other than 200 means.
    ///
    /// @param body of the answer, or its beginning; read for what is wrong, and never passed on
    /// @param retryAfter as the server said; null where it said nothing
    static ServerFailure ofStatus(int status, String body, @Nullable Duration retryAfter) {
        return new ServerFailure(
                kind(status, body, retryAfter), "the server answered with HTTP " + status, status, retryAfter);
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
        return REFUSES_ITS_WORK.contains(status) ? new ServerFailure(Kind.UNFIT, String.valueOf(getMessage())) : this;
    }

    private static Kind kind(int status, String body, @Nullable Duration retryAfter) {
        if (status == 429 || status == 503 && retryAfter != null) {
            return Kind.BUSY;
        }
        // 408, 409 and 425 are refusals of the moment, all others below 500 of the request.
        if (status < 400 || status >= 500 || status == 408 || status == 409 || status == 425) {
            return Kind.BROKEN;
        }
        return RefusalText.tellsOfLength(body) ? Kind.TOO_LONG : Kind.MISTAKE;
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

    /// True if the server has too much to do.
    public boolean isBusy() {
        return kind == Kind.BUSY;
    }

    /// True if the server did not answer in time.
    public boolean isLate() {
        return kind == Kind.LATE;
    }

    /// The HTTP status that the server answered with; 0 where it did not.
    public int status() {
        return status;
    }

    Kind kind() {
        return kind;
    }

    /// The time after which the server wants to be asked again; null where it did not say.
    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /// True if the same request may succeed elsewhere, or later.
    boolean anotherMayDo() {
        return kind == Kind.UNREACHABLE
                || kind == Kind.CUT
                || kind == Kind.BROKEN
                || kind == Kind.BUSY
                || kind == Kind.UNFIT;
    }
}
