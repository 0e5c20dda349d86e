package dev.counterpoint.servicekit;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// What is wrong with a request's head before anybody asks what the request is about: two readers could take it for
/// different requests (RFC 9112 §3.2, §6.1), or it says that the body is in a form that no service here reads.
public enum HeadFault {
    HOST("The request needs exactly one header 'Host' that names a host."),
    TRANSFER_ENCODING("The header 'Transfer-Encoding' can only be 'chunked', once, and without 'Content-Length'."),
    CONTENT_ENCODING(
            "The 'Content-Encoding' of the body is not taken. The answer's 'Accept-Encoding' lists those that are.");

    private static final Pattern HOST_NAME = Pattern.compile("(?:[A-Za-z0-9._~%-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{0,5})?");

    private static final String IDENTITY = "identity";

    private final String message;

    HeadFault(String message) {
        this.message = message;
    }

    /// For people.
    public String message() {
        return message;
    }

    /// Answers a request whose head is not well, and closes the connection where it is not certain how far the
    /// request reaches.
    ///
    /// @param codings in which the service reads bodies, beside `identity`
    /// @param problem in the service's own shape
    /// @return false when the head is well and nothing was done
    public static boolean refuse(RoutingContext http, List<String> codings, Function<HeadFault, HttpProblem> problem) {
        var fault = of(http.request(), codings);
        if (fault.isEmpty()) {
            return false;
        }
        if (fault.get() == CONTENT_ENCODING) {
            http.response()
                    .putHeader(HttpHeaders.ACCEPT_ENCODING, codings.isEmpty() ? IDENTITY : String.join(", ", codings));
        } else {
            var connection = http.request().connection();
            http.addEndHandler(_ -> connection.close());
            http.response().putHeader("Connection", "close");
        }
        problem.apply(fault.get()).write(http);
        return true;
    }

    /// @return empty for a head that is well
    static Optional<HeadFault> of(HttpServerRequest request, List<String> taken) {
        var headers = request.headers();
        if (request.version() != HttpVersion.HTTP_2 && !isHost(headers.getAll(HttpHeaders.HOST))) {
            return Optional.of(HOST);
        }
        var transfer = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        boolean chunked = transfer.size() == 1 && transfer.getFirst().equalsIgnoreCase("chunked");
        if (!transfer.isEmpty() && (!chunked || headers.contains(HttpHeaders.CONTENT_LENGTH))) {
            return Optional.of(TRANSFER_ENCODING);
        }
        var coding = coding(headers.getAll(HttpHeaders.CONTENT_ENCODING));
        return coding.isEmpty() || taken.contains(coding) ? Optional.empty() : Optional.of(CONTENT_ENCODING);
    }

    /// The coding of a body; empty for one that is sent as it is.
    ///
    /// @param headers the values of `Content-Encoding`
    public static String coding(List<String> headers) {
        var coding = String.join(",", headers).strip().toLowerCase(Locale.ROOT);
        return coding.equals(IDENTITY) ? "" : coding;
    }

    private static boolean isHost(List<String> hosts) {
        return hosts.size() == 1 && HOST_NAME.matcher(hosts.getFirst()).matches();
    }
}
