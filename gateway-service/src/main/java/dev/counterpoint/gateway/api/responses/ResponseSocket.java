package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.http.ClientSocket;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.ProblemException;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One client on a WebSocket. Responses of one lane (`stream_id`) run one after the other, lanes run at once. A socket
/// without responses has no thread. Thread-safe.
final class ResponseSocket implements ClientSocket.Listener {
    static final String PATH = "/v1/responses";
    private static final int LANES_MAX = 64;
    /// Requests of one lane that wait for the one before.
    private static final int WAITING_MAX = 16;

    private static final int NORMAL_CLOSURE = 1000;
    private static final int GOING_AWAY = 1001;
    private static final int ENDED_MAX = 64;
    private static final String CREATE = "response.create";
    private static final String STEER = "response.steer";
    private static final String PREVIOUS = "previous_response_id";
    private static final String LANE = "stream_id";
    private static final String GENERATE = "generate";
    private static final String KEY = "idempotency_key";
    private static final List<String> OWN_MEMBERS = List.of("type", LANE, GENERATE, KEY);

    private final ClientSocket socket;
    private final ResponseSockets sockets;
    private final RoutingContext http;
    private final GatewayConfig config;
    private final ConnectionResponses known;
    private final Map<String, ArrayDeque<Message>> lanes = new HashMap<>();
    private final Map<String, SteerableResponse> running = new ConcurrentHashMap<>();
    /// Ids of the last responses that have ended.
    private final Set<String> ended = Collections.synchronizedSet(new LinkedHashSet<>());
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private @Nullable Retirement retirement;

    /// Why a socket takes no more requests, and how it closes after its last response.
    ///
    /// @param told whether the client is told before, in a message
    private record Retirement(HttpProblem problem, int code, boolean told) {}

    /// A request to create a response.
    ///
    /// @param text as it came
    /// @param before the response that was steered, where this one follows by itself
    private record Message(
            ObjectNode body, byte[] text, @Nullable SteerableResponse before) {
        @Nullable
        String stream() {
            return before == null ? body.path(LANE).textValue() : before.lane();
        }

        String lane() {
            return Objects.requireNonNullElse(stream(), "");
        }
    }

    ResponseSocket(ClientSocket socket, ResponseSockets sockets, RoutingContext http, GatewayConfig config) {
        this.socket = socket;
        this.sockets = sockets;
        this.http = http;
        this.config = config;
        known = new ConnectionResponses(config.bodyBytesMax());
    }

    @Override
    public void message(byte[] text) {
        @Nullable String lane = null;
        try {
            if (!(WireJson.parse(text) instanceof ObjectNode body)) {
                throw new WireException("", null, "A message is a JSON object.");
            }
            lane = lane(body);
            var type = body.path("type").asText("");
            switch (type) {
                case CREATE -> enter(new Message(body, text, null));
                case STEER -> steer(body);
                default ->
                    throw new WireException(
                            "type",
                            "invalid_value",
                            "Invalid value for 'type': expected '" + CREATE + "' or '" + STEER + "'.");
            }
        } catch (RuntimeException e) {
            refuse(e, lane);
        }
    }

    private static @Nullable String lane(JsonNode body) {
        var lane = body.path(LANE);
        if (!lane.isMissingNode()
                && !lane.isNull()
                && (!lane.isTextual() || lane.textValue().isEmpty())) {
            throw new WireException(LANE, "invalid_type", "Invalid type for '" + LANE + "': expected a string.");
        }
        return lane.textValue();
    }

    private synchronized void enter(Message message) {
        usedNanos = System.nanoTime();
        if (retirement != null) {
            throw new ProblemException(retirement.problem);
        }
        var waiting = lanes.get(message.lane());
        if (waiting == null ? lanes.size() >= LANES_MAX : waiting.size() >= WAITING_MAX) {
            throw new ProblemException(Problem.rateLimited(
                    "A connection runs %d responses at once, and in each 'stream_id' %d more wait."
                            .formatted(LANES_MAX, WAITING_MAX),
                    Duration.ofSeconds(1)));
        }
        if (waiting != null) {
            waiting.add(message);
            return;
        }
        lanes.put(message.lane(), new ArrayDeque<>());
        Thread.ofVirtual().name("socket-lane").start(() -> run(message));
    }

    private void run(Message first) {
        var lane = first.lane(); // a message that was begun does not have it any more
        for (var next = first; next != null; next = nextOf(lane)) {
            create(next);
        }
    }

    private synchronized @Nullable Message nextOf(String lane) {
        var next = lanes.getOrDefault(lane, new ArrayDeque<>()).poll();
        if (next == null) {
            lanes.remove(lane);
            usedNanos = System.nanoTime();
            closeIfRetired();
        }
        return next;
    }

    private void steer(ObjectNode body) {
        var id = body.path(PREVIOUS).asText("");
        var input = body.path("input");
        var target = running.get(id);
        var refusal = target == null ? gone(id) : target.steer(input);
        if (refusal != null) {
            send(List.of(refusal.event(null, id, input)), target == null ? null : target.lane());
        }
    }

    private SteerRefusal gone(String id) {
        return ended.contains(id) ? SteerRefusal.RESPONSE_ALREADY_COMPLETED : SteerRefusal.RESPONSE_NOT_FOUND;
    }

    private void create(Message message) {
        var body = message.body;
        var lane = message.stream();
        var previous = body.path(PREVIOUS).asText("");
        try {
            if (socket.isClosed()) {
                return;
            }
            var caller = sockets.caller(http);
            var name = body.path(KEY).textValue();
            var key = Optional.ofNullable(name).map(it -> IdempotencyKey.ofMessage(KEY, it, caller, message.text));
            boolean generates = body.path(GENERATE).asBoolean(true);
            body.remove(OWN_MEMBERS);
            body.put("stream", true);
            var settings = body.deepCopy();
            var unfolded = known.unfold(body);
            if (!generates) {
                warmUp(sockets.check(http, caller, body), body, lane, unfolded.orElse(null));
                return;
            }
            var begun = sockets.start(http, caller, body, key);
            var format = new SocketEventFormat(
                    lane, unfolded.orElse(null), begun.plan().showsEncrypted(), done -> remember(done, body, begun));
            var response = new SteerableResponse(
                    new TurnStream<>(begun.run(), format), begun, sockets.steers(caller), lane, isSteerable(settings));
            if (!write(response, begun)) {
                known.forget(previous);
            }
            var aftermath = response.end();
            send(aftermath.events(), lane);
            if (aftermath.successor()) {
                settings.remove("input");
                settings.put(PREVIOUS, begun.ids().response());
                create(new Message(settings, message.text, response));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has left, and its response with it.
        } catch (RuntimeException e) {
            known.forget(previous);
            if (message.before == null) {
                refuse(e, lane);
            } else {
                sockets.problem(e, http); // logs it where it is a fault
                sockets.drop(http, previous);
                send(message.before.failures(), lane);
            }
        }
    }

    /// @return whether the response has an answer
    private boolean write(SteerableResponse response, ResponseTurns.Running begun)
            throws IOException, InterruptedException {
        var id = begun.ids().response();
        running.put(id, response);
        try {
            socket.write(response);
        } finally {
            running.remove(id);
            ended.add(id);
            if (ended.size() > ENDED_MAX) {
                ended.remove(ended.iterator().next());
            }
        }
        return begun.run().ending().filter(how -> how.answered()).isPresent();
    }

    private static boolean isSteerable(ObjectNode settings) {
        return !settings.hasNonNull("conversation") && !settings.hasNonNull("context_management");
    }

    /// What was said meanwhile comes after the output.
    private void remember(ResponseObject done, ObjectNode body, ResponseTurns.Running begun) {
        if (!done.echo().stored()) {
            var output = (ArrayNode) WireJson.tree(done.output());
            known.put(
                    done.id(),
                    body,
                    output.addAll(SteeredTurns.items(begun.assembler().steers())));
        }
    }

    /// Answers a request that is only to be prepared: it is checked, and can be continued from on this connection.
    private void warmUp(ResponsePlan plan, ObjectNode body, @Nullable String lane, @Nullable String previous)
            throws IOException, InterruptedException {
        var events = new WarmUp(plan.echo(), previous);
        known.put(events.id(), body, JsonNodeFactory.instance.arrayNode());
        socket.write(events.all().stream()
                .map(event -> SocketEventFormat.message(event, lane))
                .toList());
    }

    private void refuse(RuntimeException thrown, @Nullable String lane) {
        send(List.of(error(sockets.problem(thrown, http))), lane);
    }

    private void send(List<ObjectNode> events, @Nullable String lane) {
        if (events.isEmpty()) {
            return;
        }
        try {
            socket.write(events.stream()
                    .map(event -> SocketEventFormat.message(event, lane))
                    .toList());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has left.
        }
    }

    /// The event of a refusal: the body of the HTTP answer with its status, and its headers in the error.
    static ObjectNode error(HttpProblem problem) {
        var event = JsonNodeFactory.instance.objectNode().put("type", "error").put("status", problem.status());
        event.setAll((ObjectNode) WireJson.parse(problem.json()));
        var headers = event.withObject("/error").putObject("headers");
        problem.headers().forEach(headers::put);
        return event;
    }

    /// Takes no more requests and closes after the last response. Any number of times.
    ///
    /// @param problem the answer to new requests meanwhile
    void drain(HttpProblem problem) {
        retire(new Retirement(problem, GOING_AWAY, false));
    }

    private synchronized void retire(Retirement why) {
        if (retirement == null) {
            retirement = why;
            closeIfRetired();
        }
    }

    private void closeIfRetired() {
        if (retirement == null || !lanes.isEmpty()) {
            return;
        }
        var why = retirement;
        Thread.startVirtualThread(() -> {
            if (why.told) {
                refuse(new ProblemException(why.problem), null);
            }
            socket.close(why.code, why.problem.message());
        });
    }

    @Override
    public synchronized void look() {
        long now = System.nanoTime();
        if (now - openedNanos >= config.socketLifetime().toNanos()) {
            retire(new Retirement(Problem.connectionLimit(config.socketLifetime()), NORMAL_CLOSURE, true));
        } else if (lanes.isEmpty()
                && now - usedNanos >= config.socketIdleTimeout().toNanos()) {
            socket.close(NORMAL_CLOSURE, "The connection was idle.");
        }
    }

    @Override
    public void closed() {
        sockets.closed(this);
    }
}
