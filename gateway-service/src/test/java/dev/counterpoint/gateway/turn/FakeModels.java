package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.config.GatewayIncarnation;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import io.quarkus.test.junit.QuarkusTestProfile;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Models that say what a test wrote down, in the place of bus and workers.
public final class FakeModels {
    public static final String MODEL = "gpt-oss-20b";
    /// One whose engine reports log probabilities.
    public static final String WITH_LOGPROBS = "gpt-oss-logprobs";

    /// One that is not Harmony, under a chat template of its own.
    public static final String OWN_TEMPLATE = "qwen3";

    public static final String AWAY = "gpt-oss-away";

    private static final Queue<Function<Submission, List<ModelOutput>>> SCRIPTS = new ConcurrentLinkedQueue<>();
    private static final Map<String, Started> STARTED = new ConcurrentHashMap<>();
    private static final Set<String> STEERED = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger ASKED = new AtomicInteger();
    private static final Queue<AccessEntry> ACCESSES = new ConcurrentLinkedQueue<>();
    private static volatile boolean accessLogAnswers = true;
    private static volatile boolean busAnswers = true;
    private static volatile @Nullable RuntimeException replayFailure;
    private static volatile Duration lag = Duration.ZERO;
    private static volatile ResponseId last = new ResponseId(0, 0, 0, 0);

    /// A response that was asked for.
    public record Started(FakeGeneration generation, Submission submission) {}

    private FakeModels() {}

    /// What the next response says.
    public static void next(List<ModelOutput> script) {
        next(_ -> script);
    }

    /// What the next response says, given what it is asked.
    public static void next(Function<Submission, List<ModelOutput>> script) {
        SCRIPTS.add(script);
    }

    /// Forgets what no response has said yet.
    public static void clear() {
        SCRIPTS.clear();
    }

    /// How many responses were asked for so far.
    public static int asked() {
        return ASKED.get();
    }

    /// The response that was asked for last.
    public static Started last() {
        return started(last);
    }

    /// Whether the worker of the last response heard of a steer.
    public static boolean lastIsSteered() {
        return STEERED.contains(last.toString());
    }

    /// The response that was asked for last never came into a log.
    public static void loseLast() {
        STARTED.remove(last.toString());
    }

    private static Started started(ResponseId id) {
        var started = STARTED.get(id.toString());
        if (started == null) {
            throw new IllegalStateException("nothing was started");
        }
        return started;
    }

    /// Whether the bus takes the wish to end a response.
    public static void busAnswers(boolean answers) {
        busAnswers = answers;
    }

    /// What stands in the way of the next replays; null for nothing.
    public static void replaysFail(@Nullable RuntimeException with) {
        replayFailure = with;
    }

    /// Turns these models on.
    public static final class Profile implements QuarkusTestProfile {
        /// Bodies may be as long as a deployment's, and pages of any origin may call.
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "gateway.body-bytes-max", "8388608",
                    "gateway.model-aliases", "gpt-6*=" + MODEL + ",house=" + MODEL + ",lost=gone",
                    "quarkus.http.cors.enabled", "true",
                    "quarkus.http.cors.origins", "*");
        }

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(
                    ScriptedGenerations.class, ScriptedReplays.class, ScriptedFleet.class, ScriptedAccessLog.class);
        }
    }

    @Alternative
    @Singleton
    static final class ScriptedGenerations implements Generations {
        @Override
        public ResponseId newResponse(String tenant, String key) {
            return ResponseId.create(System.currentTimeMillis(), 3);
        }

        @Override
        public void giveBack(ResponseId id) {
            // Has as many places as are asked for.
        }

        @Override
        public void cancel(ResponseId id) {
            if (!busAnswers) {
                throw new BackendUnavailableException("away");
            }
            started(id).generation().cancel();
        }

        /// The log takes it at once; that the worker stops is for the test to say.
        @Override
        public void steer(ResponseId id, String tenant, long steer, byte[] input) {
            if (!busAnswers) {
                throw new BackendUnavailableException("away");
            }
            started(id).generation().say(new ModelOutput.Steered(steer, input));
        }

        @Override
        public void stopAtSteer(ResponseId id) {
            STEERED.add(id.toString());
        }

        @Override
        public void withdraw(ResponseId id) {
            if (!busAnswers) {
                throw new BackendUnavailableException("away");
            }
            started(id).generation().say(new ModelOutput.Stopped(OwnerEnd.Reason.NOT_QUEUED));
        }

        @Override
        public Generation start(ResponseId id, Submission submission) {
            var script = SCRIPTS.poll();
            var says = script == null ? List.<ModelOutput>of() : script.apply(submission);
            var generation = new FakeGeneration(id, says, submission.lifetime().outlivesClient());
            STARTED.put(id.toString(), new Started(generation, submission));
            last = id;
            ASKED.incrementAndGet();
            return generation;
        }
    }

    /// Replays what the scripted generations said.
    @Alternative
    @Singleton
    static final class ScriptedReplays implements Replays {
        @Override
        public Replay open(ResponseId id, long atMostMillis) {
            var failure = replayFailure;
            if (failure != null) {
                throw failure;
            }
            var started = STARTED.get(id.toString());
            if (started == null) {
                throw new GoneException();
            }
            return new FakeReplay(started);
        }

        @Override
        public boolean accepted(ResponseId id, long atMostMillis) {
            var failure = replayFailure;
            if (failure != null) {
                throw failure;
            }
            return STARTED.containsKey(id.toString());
        }
    }

    /// Entries of the access log, in order.
    public static List<AccessEntry> accesses() {
        return List.copyOf(ACCESSES);
    }

    /// Whether the access log takes entries.
    public static void accessLogAnswers(boolean answers) {
        accessLogAnswers = answers;
    }

    /// How far behind the audit service is.
    public static void auditLags(Duration by) {
        lag = by;
    }

    @Alternative
    @Singleton
    static final class ScriptedAccessLog implements AccessLog {
        @Override
        public CompletionStage<Void> record(AccessEntry entry) {
            if (!accessLogAnswers) {
                return CompletableFuture.failedFuture(new IllegalStateException("away"));
            }
            ACCESSES.add(entry);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Alternative
    @Singleton
    static final class ScriptedFleet implements Fleet {
        @Override
        public Duration lag(ServiceRole role) {
            return lag;
        }

        @Override
        public List<Heartbeat.Model> models() {
            return List.of(
                    new Heartbeat.Model(MODEL, "a script", 4096, 4, 4, List.of()),
                    new Heartbeat.Model(WITH_LOGPROBS, "a script", 4096, 4, 4, List.of("logprobs")),
                    new Heartbeat.Model(OWN_TEMPLATE, "a script", 4096, 4, 4, List.of("messages")));
        }

        @Override
        public boolean mayExist(String name) {
            return name.equals(AWAY) || model(name).isPresent();
        }

        /// None but this one.
        @Override
        public Optional<Set<String>> livingGateways() {
            return Optional.of(Set.of(GatewayIncarnation.name()));
        }
    }
}
