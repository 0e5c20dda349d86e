package dev.counterpoint.servicekit;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// What is wrong with a request's head before anybody asks what the request is about: two readers could take it for
/// different requests (RFC 9112 §3.2, §6.1), or it says that the body is in a form that no service here reads.
public enum HeadFault {
    HOST("The request needs exactly one header 'Host' that names a host."),
    TRANSFER_ENCODING("The header 'Transfer-Encoding' can only be 'chunked', once, and without 'Content-Length'."),
    CONTENT_ENCODING("Send the body as it is: no 'Content-Encoding' but 'identity' is taken.");

    private static final Pattern HOST_NAME = Pattern.compile("(?:[A-Za-z0-9._~%-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{0,5})?");

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
    /// @param problem in the service's own shape
    /// @return false when the head is well and nothing was done
    public static boolean refuse(RoutingContext http, Function<HeadFault, HttpProblem> problem) {
        var fault = of(http.request());
        if (fault.isEmpty()) {
            return false;
        }
        if (fault.get() != CONTENT_ENCODING) {
            var connection = http.request().connection();
            http.addEndHandler(_ -> connection.close());
            http.response().putHeader("Connection", "close");
        }
        problem.apply(fault.get()).write(http);
        return true;
    }

    /// @return empty for a head that is well
    static Optional<HeadFault> of(HttpServerRequest request) {
        var headers = request.headers();
        if (request.version() != HttpVersion.HTTP_2 && !isHost(headers.getAll(HttpHeaders.HOST))) {
            return Optional.of(HOST);
        }
        var transfer = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        boolean chunked = transfer.size() == 1 && transfer.getFirst().equalsIgnoreCase("chunked");
        if (!transfer.isEmpty() && (!chunked || headers.contains(HttpHeaders.CONTENT_LENGTH))) {
            return Optional.of(TRANSFER_ENCODING);
        }
        boolean plain = headers.getAll(HttpHeaders.CONTENT_ENCODING).stream()
                .allMatch(encoding -> encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity"));
        return plain ? Optional.empty() : Optional.of(CONTENT_ENCODING);
    }

    private static boolean isHost(List<String> hosts) {
        return hosts.size() == 1 && HOST_NAME.matcher(hosts.getFirst()).matches();
    }
}
