package dev.counterpoint.gateway.reasoning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.http.ClientDisconnect;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.UsageCharges;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.SummaryText;
import dev.counterpoint.servicekit.ProblemException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sums up the reasoning of responses that have ended. A worker opens the sealed reasoning and tells it again in a
/// log of its own, the summarizer sums that up like any other, and this gateway, which has no key to the reasoning,
/// reads the summary. Nothing is generated, stored, audited or charged. Thread-safe.
@ApplicationScoped
public class LaterSummaries implements TurnRebuilder {
    private static final String KIND = "reasoning_summary";
    private static final byte[] ECHO = ("{\"kind\":\"" + KIND + "\"}").getBytes(StandardCharsets.UTF_8);
    private static final String SEALED = "encrypted_content";

    private final LoggedReasoning logs;
    private final Generations generations;
    private final UsageCharges charges;
    private final Fleet fleet;
    private final KeyRing keys;
    private final GatewayConfig config;
    private final InstantSource clock = InstantSource.system();

    LaterSummaries(
            LoggedReasoning logs,
            Generations generations,
            UsageCharges charges,
            Fleet fleet,
            KeyRing keys,
            GatewayConfig config) {
        this.logs = logs;
        this.generations = generations;
        this.charges = charges;
        this.fleet = fleet;
        this.keys = keys;
        this.config = config;
    }

    /// A response that has ended.
    ///
    /// @param name as its caller knows it
    /// @param log its id, where we keep the response; null where its caller alone does
    /// @param model that reasoned, or null where nobody says
    /// @param question the user's latest message, or an empty text
    public record Past(
            String name, @Nullable ResponseId log, @Nullable String model, String question) {
        /// One that we keep nothing of.
        public static Past unknown(String name) {
            return new Past(name, null, null, "");
        }

        @Override
        public String toString() {
            return "Past[" + name + "]";
        }
    }

    /// @throws WireException that names what is wrong
    /// @throws ProblemException when the model, a right, or a place lacks
    public ReasoningSummary of(Caller caller, Past past, ReasoningSummaryRequest request, RoutingContext http)
            throws InterruptedException {
        RequestRules.oneOf("summary", request.summary(), SummaryDetails.WORDS);
        caller.reasoning(ReasoningMode.SUMMARY, ReasoningMode.NONE);
        var model = request.model() == null ? past.model() : request.model();
        if (model == null) {
            throw RequestRules.missing("model");
        }
        var terms = GenerationJob.ReasoningTerms.of(SealedReasoning.context(caller.tenant(), caller.project(), model));
        var blobs = blobs(caller, past, request, new SealedReasoning.Turn(terms.context(), ""));
        if (blobs.isEmpty()) {
            return ReasoningSummary.notKept(past.name());
        }
        ModelAvailability.require(fleet, model);
        var submission = submission(caller, model, job(past.question(), blobs, terms), request.summary());
        return told(caller, submission, http).summary(past.name());
    }

    private List<String> blobs(Caller caller, Past past, ReasoningSummaryRequest request, SealedReasoning.Turn turn)
            throws InterruptedException {
        var sent = request.encryptedContent();
        if (sent == null) {
            var kept = past.log() == null ? List.<String>of() : logs.sealed(past.log(), caller.tenant());
            return kept.stream().filter(blob -> valid(blob, turn)).toList();
        }
        for (int i = 0; i < sent.size(); i++) {
            if (!valid(sent.get(i), turn)) {
                var mistake = TurnEnding.Mistake.INVALID_ENCRYPTED_CONTENT;
                throw new WireException(SEALED + "[" + i + "]", mistake.code(), mistake.message());
            }
        }
        return sent;
    }

    private boolean valid(String blob, SealedReasoning.Turn turn) {
        try {
            SealedReasoning.check(blob, turn, clock.millis(), keys);
            return true;
        } catch (SealException e) {
            return false;
        }
    }

    private static GenerationJob job(String question, List<String> blobs, GenerationJob.ReasoningTerms terms) {
        var prompt = new ArrayList<PromptItem>();
        prompt.add(new PromptItem.User(question));
        blobs.forEach(blob -> prompt.add(new PromptItem.Retold(blob)));
        return new GenerationJob(
                prompt,
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "",
                null,
                GenerationJob.Sampling.DEFAULT,
                1,
                terms);
    }

    private static Submission submission(Caller caller, String model, GenerationJob job, @Nullable String detail) {
        return new Submission(
                caller.tenant(),
                caller.key(),
                model,
                job,
                SummaryDetails.named(detail),
                false, // told all at once, so that no model would write in time
                false,
                null,
                false,
                Submission.Lifetime.CLIENT,
                Topic.Band.NORMAL,
                ECHO);
    }

    private ReasoningSummaryAssembler told(Caller caller, Submission submission, RoutingContext http)
            throws InterruptedException {
        var id = generations.newResponse(caller.tenant(), caller.key());
        try {
            charges.admit(caller, id);
            var assembler = new ReasoningSummaryAssembler();
            var run = run(generations.start(id, submission), assembler);
            ClientDisconnect.listen(http, run::abandon);
            TurnRefusals.requireAnswer(run.await(config.firstTokenTimeout()), SEALED);
            return assembler;
        } catch (Generations.TooLargeException e) {
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } finally {
            generations.giveBack(id);
            charges.giveBack(caller, id);
        }
    }

    private static TurnRun<SummaryText> run(Generations.Generation generation, ReasoningSummaryAssembler assembler) {
        return new TurnRun<>(generation, assembler, (_, onRecord) -> onRecord.run());
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo) {
        return run(generation, new ReasoningSummaryAssembler());
    }

    @Override
    public Optional<TurnRows.Last> notOnBus(StoredResponses.Row row) {
        return Optional.empty();
    }
}
