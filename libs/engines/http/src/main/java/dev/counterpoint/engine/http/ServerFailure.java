package dev.counterpoint.engine.http;

import java.util.Set;

/// A request to a server came to nothing. The message is for operators and holds no content.
public final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    /// What a server says of a request that is wrong or too large.
    private static final Set<Integer> MISTAKES = Set.of(400, 413, 422);

    /// The kind decides what the caller does next.
    enum Kind {
        /// Nobody is there: try another server, and leave this one out.
        UNREACHABLE,
        /// The connection broke: try another server, or the same one over a new connection.
        CUT,
        /// The server broke or is overloaded: try another.
        BROKEN,
        /// The server is late or says what it should not; another would not help.
        WRONG,
        /// The server is well, and does not want us.
        REFUSED,
        /// The server is well, the request is not: another attempt would be refused too.
        MISTAKE
    }

    private final Kind kind;

    ServerFailure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public static ServerFailure wrong(String message) {
        return new ServerFailure(Kind.WRONG, message);
    }

    public static ServerFailure broken(String message) {
        return new ServerFailure(Kind.BROKEN, message);
    }

    /// The server says that the request is wrong.
    public static ServerFailure mistake(String message) {
        return new ServerFailure(Kind.MISTAKE, message);
    }

    /// True if the server says that the request itself is wrong.
    public boolean isMistake() {
        return kind == Kind.MISTAKE;
    }

    /// The failure that an HTTP status other than 200 means.
    static ServerFailure ofStatus(int status) {
        boolean broken = status >= SERVER_ERROR || status == TOO_MANY_REQUESTS;
        var kind = broken ? Kind.BROKEN : MISTAKES.contains(status) ? Kind.MISTAKE : Kind.REFUSED;
        return new ServerFailure(kind, "the server answered with HTTP " + status);
    }

    Kind kind() {
        return kind;
    }

    /// True if the same request may succeed elsewhere.
    boolean anotherMayDo() {
        return kind == Kind.UNREACHABLE || kind == Kind.CUT || kind == Kind.BROKEN;
    }
}
