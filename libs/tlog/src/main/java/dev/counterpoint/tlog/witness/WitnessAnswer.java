package dev.counterpoint.tlog.witness;

import java.nio.charset.StandardCharsets;

/// An answer of the witness.
///
/// @param status HTTP status
/// @param contentType media type of the body
/// @param body content
record WitnessAnswer(int status, String contentType, byte[] body) {
    static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int UNPROCESSABLE = 422;

    private static final String TEXT = "text/plain; charset=utf-8";

    static WitnessAnswer ok(String body) {
        return new WitnessAnswer(200, TEXT, body.getBytes(StandardCharsets.UTF_8));
    }

    static WitnessAnswer conflict(long size) {
        return new WitnessAnswer(409, "text/x.tlog.size", (size + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static WitnessAnswer refused(int status, String reason) {
        return new WitnessAnswer(status, TEXT, (reason + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
