package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final String CREATE = "response.create";
    private static final String LANE = "stream_id";
    private static final String GENERATE = "generate";
    private static final String KEY = "idempotency_key";
    private static final List<String> OWN_MEMBERS = List.of("type", LANE, GENERATE, KEY);

    private final ClientSocket socket;
    private final ResponseSockets sockets;
    private final RoutingContext http;
    private final Limits limits;
    private final ConnectionResponses known;
    private final Map<String, ArrayDeque<Message>> lanes = new HashMap<>();
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private @Nullable Retirement retirement;

    /// Why a socket takes no more requests, and how it closes after its last response.
    ///
    /// @param told whether the client is told before, in a message
    private record Retirement(HttpProblem problem, int code, boolean told) {}

    /// What bounds a connection.
    ///
    /// @param lifetime after which it takes no more requests
    /// @param idle time without a message or a response after which it is closed
    /// @param knownBytesMax of the responses that only the connection knows
    record Limits(Duration lifetime, Duration idle, long knownBytesMax) {}

    /// A request to create a response.
    ///
    /// @param text as it came
    private record Message(ObjectNode body, byte[] text) {
        String lane() {
            return body.path(LANE).asText("");
        }
    }

    ResponseSocket(ClientSocket socket, ResponseSockets sockets, RoutingContext http, Limits limits) {
        this.socket = socket;
        this.sockets = sockets;
        this.http = http;
        this.limits = limits;
        known = new ConnectionResponses(limits.knownBytesMax());
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
            if (!type.equals(CREATE)) {
                throw new WireException(
                        "type", "invalid_value", "Invalid value for 'type': expected '" + CREATE + "'.");
            }
            enter(new Message(body, text));
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
        for (var next = first; next != null; next = nextOf(first.lane())) {
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

    private void create(Message message) {
        var body = message.body;
        var lane = body.path(LANE).textValue();
        var previous = body.path("previous_response_id").asText("");
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
            var unfolded = known.unfold(body);
            if (generates) {
                var running = sockets.start(http, caller, body, key);
                var format = new SocketEventFormat(
                        lane, unfolded.orElse(null), running.plan().showsEncrypted(), ended -> remember(ended, body));
                socket.write(new TurnStream<>(running.run(), format));
                if (!running.run().ending().filter(ending -> ending.answered()).isPresent()) {
                    known.forget(previous);
                }
            } else {
                warmUp(sockets.check(http, caller, body), body, lane, unfolded.orElse(null));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has left, and its response with it.
        } catch (RuntimeException e) {
            known.forget(previous);
            refuse(e, lane);
        }
    }

    private void remember(ResponseObject ended, ObjectNode body) {
        if (!ended.echo().stored()) {
            known.put(ended.id(), body, WireJson.tree(ended.output()));
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
        try {
            socket.write(List.of(SocketEventFormat.message(error(sockets.problem(thrown, http)), lane)));
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
        if (now - openedNanos >= limits.lifetime().toNanos()) {
            retire(new Retirement(Problem.connectionLimit(limits.lifetime()), NORMAL_CLOSURE, true));
        } else if (lanes.isEmpty() && now - usedNanos >= limits.idle().toNanos()) {
            socket.close(NORMAL_CLOSURE, "The connection was idle.");
        }
    }

    @Override
    public void closed() {
        sockets.closed(this);
    }
}
