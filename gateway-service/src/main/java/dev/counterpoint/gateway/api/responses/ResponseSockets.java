package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.admission.TenantDoor;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.http.ClientSocket;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.SseBody;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.problem.ErrorMapper;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.tenancy.KeyCache;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.servicekit.DrainSettings;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The Responses API over WebSockets. The caller of a socket is found again for each request, so that a revoked key
/// stops working. Thread-safe.
@ApplicationScoped
class ResponseSockets {
    private static final int BEFORE_THE_DRAIN_WAITS = 1;
    /// The share of the connections that one tenant's sockets may hold.
    private static final int TENANT_SHARE = 4;

    private static final String TOO_MANY = "Too many of your WebSockets are open; close some, or use HTTP.";

    private final Responses responses;
    private final KeyCache keys;
    private final ModelAliases aliases;
    private final TenantDoor door;
    private final CurrentVertxRequest current;
    final ErrorMapper errors;
    private final Generations generations;
    private final SteeredTurns steered;
    private final GatewayConfig config;
    private final HttpProblem stopping;
    private final int ofTenantMax;
    private final Set<ResponseSocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    ResponseSockets(
            Responses responses,
            KeyCache keys,
            ModelAliases aliases,
            TenantDoor door,
            CurrentVertxRequest current,
            ErrorMapper errors,
            Generations generations,
            SteeredTurns steered,
            GatewayConfig config,
            DrainSettings drain,
            @ConfigProperty(name = "quarkus.http.limits.max-connections") int connections) {
        this.responses = responses;
        this.keys = keys;
        this.aliases = aliases;
        this.door = door;
        this.current = current;
        this.errors = errors;
        this.generations = generations;
        this.steered = steered;
        this.config = config;
        stopping = drain.refusal();
        ofTenantMax = Math.max(1, connections / TENANT_SHARE);
    }

    void register(@Observes Router router) {
        router.get(ResponseSocket.PATH).order(1).handler(this::connect);
    }

    /// Idle sockets close at once, the others after their last response; [DrainSettings] says how long that may take.
    void stop(@Observes @Priority(BEFORE_THE_DRAIN_WAITS) ShutdownDelayInitiatedEvent stop) {
        draining = true;
        open.forEach(socket -> socket.drain(stopping));
    }

    Set<ResponseSocket> open() {
        return open;
    }

    private void connect(RoutingContext http) {
        boolean upgrades = "websocket".equalsIgnoreCase(http.request().getHeader(HttpHeaders.UPGRADE));
        if (!upgrades || http.request().version() != HttpVersion.HTTP_1_1) {
            http.next();
            return;
        }
        if (draining) {
            stopping.write(http);
            return;
        }
        http.request().pause();
        var loop = http.vertx().getOrCreateContext();
        Thread.startVirtualThread(() -> {
            try {
                var tenant = caller(http).tenant();
                if (open.stream()
                                .filter(socket -> socket.tenant().equals(tenant))
                                .count()
                        >= ofTenantMax) {
                    throw new ProblemException(Problem.rateLimited(TOO_MANY, Duration.ofSeconds(10)));
                }
                loop.runOnContext(_ ->
                        ClientSocket.open(http, SseBody.Patience.of(config), socket -> opened(socket, http, tenant)));
            } catch (RuntimeException e) {
                var refusal = errors.problem(e, http);
                loop.runOnContext(_ -> refusal.write(http));
            }
        });
    }

    /// @throws ProblemException 401 when the key of the upgrade is not good any more
    Caller caller(RoutingContext http) {
        return keys.caller(http.request().getHeader(HttpHeaders.AUTHORIZATION));
    }

    private ResponseSocket opened(ClientSocket client, RoutingContext http, String tenant) {
        var socket = new ResponseSocket(client, this, http, tenant);
        open.add(socket);
        if (draining) {
            socket.drain(stopping);
        }
        return socket;
    }

    @ActivateRequestContext
    ResponseTurns.Running start(RoutingContext http, Caller caller, ObjectNode body, Optional<IdempotencyKey> key)
            throws InterruptedException {
        current.setCurrent(http);
        var request = read(body);
        return door.through(caller.tenant(), () -> responses.start(caller, request, key));
    }

    private CreateResponse read(ObjectNode body) {
        return IgnoredFields.read(aliases.resolved(body), CreateResponse.class);
    }

    /// Checks a request as if it would start.
    ResponsePlan check(Caller caller, ObjectNode body) throws InterruptedException {
        return door.through(caller.tenant(), () -> plan(caller, body));
    }

    /// As [#check], without a turn at the database.
    ResponsePlan plan(Caller caller, ObjectNode body) {
        return responses.plan(caller, read(body));
    }

    /// Of a message, and of all that a connection keeps.
    long bytesMax() {
        return config.bodyBytesMax();
    }

    /// The way of steers into the log and into the next response.
    SteerableResponse.Steers steers(Caller caller) {
        return new SteerableResponse.Steers(generations, steered, caller.tenant());
    }
}
