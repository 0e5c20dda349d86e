package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.prompt.PromptRenderer;
import java.nio.file.Path;
import java.time.Duration;
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

    public String seal() {
        var folder = ConfigProvider.getConfig().getValue("gateway.stream.keys-dir", String.class);
        return seal(KeyRing.load(Path.of(folder), ServiceRole.WORKER));
    }

    public String seal(KeyRing keys) {
        int tokens = PromptRenderer.tokens(SAMPLED, new FunctionNames(List.of()));
        var header = new SealedReasoning.Header(System.currentTimeMillis() + life.toMillis(), tokens, conversation);
        return SealedReasoning.seal(SAMPLED, header, SealedReasoning.context(tenant, project, model), keys);
    }
}
