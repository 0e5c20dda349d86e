package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.prompt.PromptRenderer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;

/// Seals reasoning as a worker of the gateway under test would.
///
/// @param project of the key that asked
/// @param conversation that the server held, or empty
/// @param life how long it can still be sent back; negative when its time is over
public record Blobs(String tenant, String project, String model, String conversation, Duration life) {
    private static final int[] SAMPLED = {200005, 35644, 200008, 40, 2411, 200007};

    /// Of a key without a project of its own, in no conversation, and alive.
    public static Blobs of(String tenant) {
        return new Blobs(tenant, "default", FakeModels.MODEL, "", Duration.ofMinutes(1));
    }

    public Blobs in(String held) {
        return new Blobs(tenant, project, model, held, life);
    }

    public Blobs ofProject(String other) {
        return new Blobs(tenant, other, model, conversation, life);
    }

    public Blobs ofModel(String other) {
        return new Blobs(tenant, project, other, conversation, life);
    }

    public Blobs expired() {
        return new Blobs(tenant, project, model, conversation, Duration.ofSeconds(-1));
    }

    /// Bound to what a response was asked, as a worker of this version seals its first item.
    public static String of(FakeModels.Started started) {
        var terms = started.submission().job().reasoning();
        return of(terms, started.generation().id().reasoningItem(0));
    }

    /// @param item its id; empty for none
    public static String of(GenerationJob.ReasoningTerms terms, String item) {
        var context = terms.context();
        long expiresAt = System.currentTimeMillis() + Duration.ofMinutes(1).toMillis();
        var header = terms.header(expiresAt, PromptRenderer.tokens(SAMPLED, new FunctionNames(List.of())), item);
        return SealedReasoning.seal(SAMPLED, header, context, KeyRing.load(folder(), ServiceRole.WORKER));
    }

    /// True if a worker would show the reasoning of these blobs to the model.
    public static boolean areRead(GenerationJob job) {
        var renderer = new PromptRenderer(KeyRing.load(folder(), ServiceRole.WORKER));
        var prompt = renderer.render(job, System.currentTimeMillis());
        return Collections.indexOfSubList(boxed(prompt), boxed(SAMPLED)) >= 0;
    }

    private static List<Integer> boxed(int[] tokens) {
        return Arrays.stream(tokens).boxed().toList();
    }

    private static Path folder() {
        return Path.of(ConfigProvider.getConfig().getValue("gateway.stream.keys-dir", String.class));
    }

    public String seal() {
        return seal(KeyRing.load(folder(), ServiceRole.WORKER));
    }

    public String seal(KeyRing keys) {
        int tokens = PromptRenderer.tokens(SAMPLED, new FunctionNames(List.of()));
        var header = new SealedReasoning.Header(System.currentTimeMillis() + life.toMillis(), tokens, conversation);
        return SealedReasoning.seal(SAMPLED, header, SealedReasoning.context(tenant, project, model), keys);
    }
}
