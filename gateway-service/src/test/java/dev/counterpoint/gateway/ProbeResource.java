package dev.counterpoint.gateway;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.http.SseBody;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.tenancy.Quotas;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A resource as the real ones are, that fails and streams on demand.
@Path("/v1/probe")
@RunOnVirtualThread
public class ProbeResource {
    /// Stands for what must never leave: a prompt in an exception's message.
    public static final String CANARY = "canary-3141592653";

    private static final SseBody.Patience PATIENCE =
            new SseBody.Patience(Duration.ofMillis(100), Duration.ofSeconds(2));
    private static final byte[] FILLER = SseFrame.comment("x".repeat(65_536));
    private static final Map<String, CountDownLatch> ABANDONED = new ConcurrentHashMap<>();

    @Inject
    CurrentCaller caller;

    @Inject
    Quotas quotas;

    /// Waits until the stream of that name has been abandoned.
    public static boolean isAbandoned(String name) throws InterruptedException {
        return abandoned(name).await(60, TimeUnit.SECONDS);
    }

    private static CountDownLatch abandoned(String name) {
        return ABANDONED.computeIfAbsent(name, _ -> new CountDownLatch(1));
    }

    @GET
    @Path("caller")
    public Response caller() {
        var who = caller.get();
        return JsonAnswer.ok(Map.of(
                "tenant",
                who.tenant(),
                "key",
                who.key(),
                "virtual",
                Thread.currentThread().isVirtual()));
    }

    @GET
    @Path("raw")
    public Response raw() {
        return JsonAnswer.ok(Map.of("mode", caller.get().reasoning(ReasoningMode.FULL, ReasoningMode.NONE)));
    }

    @POST
    @Path("echo")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Response echo(byte[] body) {
        return JsonAnswer.ok(WireJson.parse(body));
    }

    @POST
    @Path("admitted/{tokens}")
    public Response admitted(@PathParam("tokens") long tokens) {
        var response = ResponseId.create(System.currentTimeMillis(), 0);
        quotas.admit(caller.get(), response, 0);
        settle(response.toString(), tokens);
        return JsonAnswer.ok(Map.of("admitted", true));
    }

    /// Lets a response in that goes on.
    ///
    /// @param tokens kept for it
    @POST
    @Path("held/{tokens}")
    public Response held(@PathParam("tokens") long tokens) {
        var response = ResponseId.create(System.currentTimeMillis(), 0);
        quotas.admit(caller.get(), response, tokens);
        return JsonAnswer.ok(Map.of("response", response.toString()));
    }

    /// Ends such a one.
    ///
    /// @param tokens that it used; less than 0 when nobody counted
    @POST
    @Path("settled/{response}/{tokens}")
    public Response settled(@PathParam("response") String response, @PathParam("tokens") long tokens) {
        settle(response, tokens);
        return JsonAnswer.ok(Map.of("settled", true));
    }

    private void settle(String response, long tokens) {
        var used = new Quotas.Used(response, "a-model", tokens < 0 ? null : new Quotas.Tokens(tokens, 0, 0, 0));
        quotas.settle(caller.get(), used);
    }

    @GET
    @Path("failure/{kind}")
    public Response failure(@PathParam("kind") String kind) {
        throw switch (kind) {
            case "away" -> new BackendUnavailableException(CANARY);
            case "wire" -> new WireException("input[0].role", "invalid_value", "Invalid value.");
            case "refused" -> new ProblemException(Problem.modelNotFound("gpt-0"));
            default -> new IllegalStateException(CANARY, new IllegalArgumentException(CANARY));
        };
    }

    /// The same to a request with a body.
    @POST
    @Path("stream/{kind}/{name}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response stream(
            @PathParam("kind") String kind, @PathParam("name") String name, @Context RoutingContext http, byte[] body) {
        return stream(kind, name, http);
    }

    /// @param kind `whole`, `idle`, `late` (fails after the first event), `early` (fails before it), `endless`
    ///     or `lost` (falls behind after the first event)
    @GET
    @Path("stream/{kind}/{name}")
    public Response stream(
            @PathParam("kind") String kind, @PathParam("name") String name, @Context RoutingContext http) {
        return SseBody.answer(new Probe(kind, abandoned(name)), PATIENCE, http);
    }

    private static final class Probe implements EventSource {
        private final String kind;
        private final CountDownLatch abandoned;
        private int turn;

        private Probe(String kind, CountDownLatch abandoned) {
            this.kind = kind;
            this.abandoned = abandoned;
        }

        @Override
        public Step next(long atMostMillis) throws InterruptedException {
            turn++;
            return switch (kind) {
                case "early" -> throw new ProblemException(Problem.unavailable("not now", 1));
                case "idle" -> {
                    // A model that thinks for ever, until its client has gone.
                    yield abandoned.await(atMostMillis, TimeUnit.MILLISECONDS) ? Step.END : Step.PAUSE;
                }
                case "late" -> {
                    if (turn > 1) {
                        throw new IllegalStateException(CANARY);
                    }
                    yield event();
                }
                case "endless" -> Step.of(FILLER);
                case "lost" -> turn > 1 ? Step.LOST : event();
                default -> turn > 3 ? Step.END : event();
            };
        }

        private Step event() {
            return Step.of(SseFrame.event("probe", Map.of("turn", turn)));
        }

        @Override
        public void abandon() {
            abandoned.countDown();
        }
    }

    /// Declared outside `/v1` and `/admin`; the door must not let anybody in.
    @Path("/elsewhere")
    public static class Elsewhere {
        @GET
        public String open() {
            return CANARY;
        }
    }

    /// The paths that need a key, for sweeps.
    public static final Set<String> CLOSED = Set.of("/v1/probe/caller", "/v1/probe/raw", "/v1/probe/failure/bug");
}
