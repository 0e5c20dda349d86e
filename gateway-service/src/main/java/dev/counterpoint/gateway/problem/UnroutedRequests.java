package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.http.RequestId;
import dev.counterpoint.servicekit.HeadFault;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers what never reaches a resource in the same shape as the resources do: paths that are nobody's,
/// bodies that are too large, failures between the network and us.
@ApplicationScoped
class UnroutedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(UnroutedRequests.class);
    private static final String API = "/v1/";
    private static final int BEFORE_THE_DRAIN = 9_500;
    /// After the framework's filter for CORS, so that pages may read the refusal.
    private static final int BEFORE_THE_FRAMEWORK = 250;
    private static final int BEFORE_ITS_ERROR_PAGE = 1;
    /// How long an upload that we refused may go on, so that its sender gets to read our answer.
    private static final long REFUSED_UPLOAD_MILLIS_MAX = 2_000;

    private final BodyLimit bodyLimit;

    UnroutedRequests(BodyLimit bodyLimit) {
        this.bodyLimit = bodyLimit;
    }

    void register(@Observes Filters filters) {
        filters.register(UnroutedRequests::refuseHead, BEFORE_THE_DRAIN);
        filters.register(this::refuseLargeBody, BEFORE_THE_FRAMEWORK);
    }

    void register(@Observes Router router) {
        router.route().order(Integer.MAX_VALUE - BEFORE_ITS_ERROR_PAGE).handler(UnroutedRequests::unknown);
        router.route().order(Integer.MAX_VALUE - BEFORE_ITS_ERROR_PAGE).failureHandler(UnroutedRequests::failed);
    }

    private static void refuseHead(RoutingContext http) {
        if (HeadFault.refuse(http, BodyLimit.CODINGS, Problem::head)) {
            return;
        }
        var nul = NulCharacters.refusal(http.request());
        if (nul.isPresent()) {
            nul.get().write(http);
            return;
        }
        if (http.normalizedPath().startsWith(API)) {
            // OpenAI's API does not negotiate: a request says itself whether its answer is a stream.
            http.request().headers().set(HttpHeaders.ACCEPT, MediaType.WILDCARD);
        }
        http.next();
    }

    private void refuseLargeBody(RoutingContext http) {
        if (bodyLimit.allows(declaredBytes(http))) {
            http.next();
            return;
        }
        http.response().putHeader("Connection", "close");
        bodyLimit.problem().write(http);
        var connection = http.request().connection();
        http.vertx().setTimer(REFUSED_UPLOAD_MILLIS_MAX, _ -> connection.close());
        http.request().handler(_ -> {}).endHandler(_ -> connection.close()).resume();
    }

    private static long declaredBytes(RoutingContext http) {
        var declared = http.request().getHeader("Content-Length");
        try {
            return declared == null ? 0 : Long.parseLong(declared);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private static void unknown(RoutingContext http) {
        Problem.unknownUrl(http.request().method().name(), http.normalizedPath())
                .write(http);
    }

    private static void failed(RoutingContext http) {
        var failure = http.failure();
        if (failure instanceof IOException && http.response().closed()) {
            return; // a client that left is no fault
        }
        if (HeadFault.refuse(http, BodyLimit.CODINGS, Problem::head)) {
            return; // without a host a request fails before the first filter
        }
        var problem = failure == null ? Problems.ofStatus(http.statusCode()) : Problems.of(failure);
        problem.orElseGet(() -> fault(http, failure)).write(http);
    }

    private static HttpProblem fault(RoutingContext http, @Nullable Throwable failure) {
        LOG.error(
                "requestId={} method={} path={} error={}",
                RequestId.of(http),
                http.request().method(),
                http.normalizedPath(),
                failure == null ? "status " + http.statusCode() : SafeStackTrace.of(failure));
        return Problem.serverError();
    }
}
