package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.ClientSocket;
import dev.counterpoint.gateway.http.RequestId;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.LogField;
import dev.counterpoint.servicekit.ProblemException;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One client on a WebSocket. Responses of one lane (`stream_id`) run one after the other, lanes run at once. A socket
/// without responses has no thread. Thread-safe.
final class ResponseSocket implements ClientSocket.Listener {
    static final String PATH = "/v1/responses";
    private static final int LANES_MAX = 64;
    /// Requests of one lane that wait for the one before.
    private static final int WAITING_MAX = 16;

    /// Time after which a socket takes no more requests.
    private static final Duration LIFETIME = Duration.ofMinutes(60);
    /// Time without a request or a response after which a socket is closed.
    private static final Duration IDLE_MAX = Duration.ofMinutes(30);

    private static final int NORMAL_CLOSURE = 1000;
    private static final int GOING_AWAY = 1001;
    private static final int ENDED_MAX = 64;
    private static final String CREATE = "response.create";
    private static final String STEER = "response.steer";
    private static final String GENERATE = "generate";

    private final ClientSocket socket;
    private final ResponseSockets sockets;
    private final RoutingContext http;
    private final String tenant;
    private final long bytesMax;
    private final ConnectionResponses known;
    private final Map<String, ArrayDeque<LaneRequest>> lanes = new HashMap<>();
    private final Map<String, SteerableResponse> running = new ConcurrentHashMap<>();
    /// By the ids of the last responses that have ended, the answer to steers that come too late.
    private final Map<String, SteerRefusal> ended = new LinkedHashMap<>();
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private long waitingBytes;
    private @Nullable Retirement retirement;

    /// Why a socket takes no more requests, and how it closes after its last response.
    private record Retirement(HttpProblem problem, int code) {}

    ResponseSocket(ClientSocket socket, ResponseSockets sockets, RoutingContext http, String tenant) {
        this.socket = socket;
        this.sockets = sockets;
        this.http = http;
        this.tenant = tenant;
        bytesMax = sockets.bytesMax();
        known = new ConnectionResponses(bytesMax);
    }

    String tenant() {
        return tenant;
    }

    @Override
    public void message(byte[] text) {
        var lane = "";
        try {
            if (!(WireJson.parse(text) instanceof ObjectNode body)) {
                throw new WireException("", null, "A message is a JSON object.");
            }
            lane = LaneRequest.lane(body);
            var type = body.path("type").asText("");
            switch (type) {
                case CREATE -> enter(new LaneRequest(lane, text, null));
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

    private synchronized void enter(LaneRequest message) {
        usedNanos = System.nanoTime();
        if (retirement != null) {
            throw new ProblemException(retirement.problem);
        }
        var waiting = lanes.get(message.lane());
        boolean full = waiting == null
                ? lanes.size() >= LANES_MAX
                : waiting.size() >= WAITING_MAX || waitingBytes + message.text().length > bytesMax;
        if (full) {
            throw new ProblemException(Problem.rateLimited(
                    "A connection runs %d responses at once; in each 'stream_id' %d more wait, %d bytes in all."
                            .formatted(LANES_MAX, WAITING_MAX, bytesMax),
                    Duration.ofSeconds(1)));
        }
        if (waiting != null) {
            waiting.add(message);
            waitingBytes += message.text().length;
            return;
        }
        lanes.put(message.lane(), new ArrayDeque<>());
        Thread.ofVirtual().name("socket-lane").start(() -> run(message));
    }

    private void run(LaneRequest first) {
        LogField.REQUEST_ID.put(RequestId.of(http));
        @Nullable LaneRequest next = first;
        try {
            while (next != null) {
                var successor = create(next);
                next = successor == null ? nextOf(first.lane()) : successor;
            }
        } finally {
            if (next != null) {
                socket.sever(); // an error: nothing more would come in this lane
            }
        }
    }

    private synchronized @Nullable LaneRequest nextOf(String lane) {
        var next = lanes.getOrDefault(lane, new ArrayDeque<>()).poll();
        if (next == null) {
            lanes.remove(lane);
            usedNanos = System.nanoTime();
            closeIfRetired();
        } else {
            waitingBytes -= next.text().length;
        }
        return next;
    }

    private void steer(ObjectNode body) {
        var id = body.path(LaneRequest.PREVIOUS).asText("");
        var input = body.path("input");
        var target = running.get(id);
        var caller = sockets.caller(http);
        try {
            var refusal = target == null ? gone(id) : target.steer(input, request -> sockets.plan(caller, request));
            if (refusal != null) {
                send(List.of(refusal.event(null, id, input)), target == null ? "" : target.lane());
            }
        } catch (BackendUnavailableException e) {
            sockets.errors.problem(e, http); // the end of the response says what became of the steer
        }
    }

    private synchronized SteerRefusal gone(String id) {
        return ended.getOrDefault(id, SteerRefusal.RESPONSE_NOT_FOUND);
    }

    /// @return the request of a successor that begins by itself; null for none
    private @Nullable LaneRequest create(LaneRequest message) {
        var previous = "";
        try {
            if (!socket.isClosed()) {
                refuseIfStopping();
                var body = message.body();
                previous = body.path(LaneRequest.PREVIOUS).asText("");
                return answer(message, body, previous);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The client has left, and its response with it.
        } catch (RuntimeException e) {
            known.forget(previous);
            var before = message.before();
            if (before == null) {
                refuse(e, message.lane());
            } else {
                sockets.errors.problem(e, http); // logs it where it is a fault
                giveBack(before);
            }
        }
        return null;
    }

    /// Nothing begins any more, be it a request that waited or one that follows by itself.
    private synchronized void refuseIfStopping() {
        if (retirement != null && retirement.code == GOING_AWAY) {
            throw new ProblemException(retirement.problem);
        }
    }

    private @Nullable LaneRequest answer(LaneRequest message, ObjectNode body, String previous)
            throws IOException, InterruptedException {
        var lane = message.lane();
        var caller = sockets.caller(http);
        var key = Optional.ofNullable(body.path(LaneRequest.KEY).asText(null))
                .map(name -> IdempotencyKey.ofMessage(LaneRequest.KEY, name, caller, message.text()));
        boolean generates = body.path(GENERATE).asBoolean(true);
        body.remove(List.of(GENERATE, LaneRequest.KEY));
        body.put("stream", true);
        boolean steerable = !body.hasNonNull("conversation") && !body.hasNonNull("context_management");
        var unfolded = known.unfold(body);
        if (!generates) {
            warmUp(sockets.check(caller, body), ConnectionResponses.Known.of(body), lane, unfolded);
            return null;
        }
        var begun = sockets.start(http, caller, body, key);
        var asked = begun.plan().echo().stored() ? null : ConnectionResponses.Known.of(body);
        body.removeAll(); // the response may take long
        var format = new SocketEventFormat(
                lane, unfolded, begun.plan().showsEncrypted(), done -> remember(done, asked, begun));
        var response = new SteerableResponse(
                new TurnStream<>(begun.run(), format), begun, sockets.steers(caller), lane, steerable);
        if (write(response) != SteerRefusal.RESPONSE_ALREADY_COMPLETED) {
            known.forget(previous);
        }
        if (socket.isClosed()) {
            return null;
        }
        var aftermath = response.aftermath();
        send(aftermath.events(), lane);
        return aftermath.successor() ? new LaneRequest(lane, message.text(), response) : null;
    }

    /// @return how the response ended: the answer to a later steer
    private SteerRefusal write(SteerableResponse response) throws IOException, InterruptedException {
        running.put(response.id(), response);
        try {
            socket.write(response);
        } catch (RuntimeException e) {
            refuse(e, response.lane());
        } finally {
            ended(response.id(), response.end());
        }
        return response.end();
    }

    private synchronized void ended(String id, SteerRefusal how) {
        ended.put(id, how);
        running.remove(id);
        if (ended.size() > ENDED_MAX) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    /// The client hears of it, whatever the database does.
    private void giveBack(SteerableResponse before) {
        try {
            before.drop();
        } catch (RuntimeException e) {
            sockets.errors.problem(e, http);
        }
        send(before.failures(), before.lane());
    }

    /// What was said meanwhile comes after the output.
    private void remember(ResponseObject done, ConnectionResponses.@Nullable Known asked, ResponseTurns.Running begun) {
        if (asked != null) {
            var output = (ArrayNode) WireJson.tree(InputItems.whole(done)).path("output"); // a list alone has no types
            known.put(
                    done.id(),
                    asked,
                    output.addAll(SteeredTurns.items(begun.assembler().steers())));
        }
    }

    /// Answers a request that is only to be prepared: it is checked, and can be continued from on this connection. Its
    /// response has no output, and no model runs.
    private void warmUp(ResponsePlan plan, ConnectionResponses.Known asked, String lane, @Nullable String previous)
            throws IOException, InterruptedException {
        long now = System.currentTimeMillis();
        var prepared = new ResponseAssembler(ResponseId.create(now, 0), plan);
        var events = new ArrayList<>(prepared.begin());
        events.addAll(prepared.accept(new ModelOutput.Finished(new End(End.Finish.STOP_SEQUENCE, 0, 0, 0, 0, now))));
        known.put(prepared.response().id(), asked, JsonNodeFactory.instance.arrayNode());
        var format = new SocketEventFormat(lane, previous, false, _ -> {});
        socket.write(
                events.stream().flatMap(event -> format.blocks(event).stream()).toList());
    }

    private void refuse(RuntimeException thrown, String lane) {
        send(List.of(error(sockets.errors.problem(thrown, http))), lane);
    }

    private void send(List<ObjectNode> events, String lane) {
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
        retire(new Retirement(problem, GOING_AWAY));
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
            if (why.code == NORMAL_CLOSURE) {
                refuse(new ProblemException(why.problem), "");
            }
            socket.close(why.code, why.problem.message());
        });
    }

    @Override
    public synchronized void look(long nowNanos) {
        boolean old = nowNanos - openedNanos >= LIFETIME.toNanos();
        if (old || lanes.isEmpty() && nowNanos - usedNanos >= IDLE_MAX.toNanos()) {
            var why = old ? "This WebSocket connection is 60 minutes old." : "This WebSocket connection was idle.";
            retire(new Retirement(Problem.connectionLimit(why), NORMAL_CLOSURE));
        }
    }

    @Override
    public void closed() {
        sockets.open().remove(this);
    }
}
