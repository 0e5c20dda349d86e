package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.PromptCacheDiagnostics;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Compares a prompt with that of a stored response, which a request names to learn why it could not be reused. Workers
/// cache by the prompt's tokens alone, so `prompt_cache_key` and `service_tier` are never a reason. Thread-safe.
@ApplicationScoped
class PromptComparison {
    private final StoredResponses rows;
    private final ResponsesTranslation translation;

    PromptComparison(StoredResponses rows, ResponsesTranslation translation) {
        this.rows = rows;
        this.translation = translation;
    }

    /// The request with what the comparison found, where it asks for one.
    CheckedResponse diagnosed(CheckedResponse now) {
        var wish = now.request().promptCacheOptions();
        var id = wish == null ? null : wish.comparisonResponseId();
        return id == null ? now : now.with(now.plan().diagnosed(found(now, id)));
    }

    private PromptCacheDiagnostics found(CheckedResponse now, String id) {
        var row = TurnIds.parseResponse(id)
                .flatMap(_ -> rows.find(id, now.caller().owner()))
                .orElse(null);
        if (row == null) {
            return PromptCacheDiagnostics.NOT_FOUND;
        }
        if (now.facts().ownTemplate()) {
            return PromptCacheDiagnostics.UNAVAILABLE;
        }
        try {
            if (!row.model().equals(now.plan().echo().model())) {
                return PromptCacheDiagnostics.miss("model_changed", translation.promptTokens(now.job()), 0);
            }
            return translation
                    .again(row, now)
                    .map(then -> compared(now, then))
                    .orElse(PromptCacheDiagnostics.UNAVAILABLE);
        } catch (WireException | ProblemException | SealException gone) {
            return PromptCacheDiagnostics.UNAVAILABLE;
        }
    }

    private PromptCacheDiagnostics compared(CheckedResponse now, TranslatedRequest then) {
        if (Collections.indexOfSubList(sealed(now.job()), sealed(then.job())) != 0) {
            return PromptCacheDiagnostics.UNAVAILABLE; // their tokens are unknown here
        }
        int[] prompt = translation.visibleTokens(now.job());
        int[] earlier = translation.visibleTokens(then.job());
        int difference = Arrays.mismatch(prompt, earlier);
        int common = difference < 0 ? prompt.length : difference;
        return common == Math.min(prompt.length, earlier.length)
                ? PromptCacheDiagnostics.HIT
                : PromptCacheDiagnostics.miss(
                        reason(now, then), (long) translation.promptTokens(now.job()) - common, common);
    }

    private static List<PromptItem> sealed(GenerationJob job) {
        return job.prompt().stream().filter(PromptItem.Sealed.class::isInstance).toList();
    }

    /// The first setting that differs, in the order of the prompt; the conversation comes last.
    private static String reason(CheckedResponse now, TranslatedRequest then) {
        var job = now.job();
        if (!job.effort().equals(then.job().effort())) {
            return "reasoning_effort_changed";
        }
        if (!offered(job).equals(offered(then.job()))) {
            return "tools_changed";
        }
        if (!Objects.equals(job.format(), then.job().format())) {
            return "text_format_changed";
        }
        if (!Objects.equals(verbosity(now.plan()), verbosity(then.plan()))) {
            return "verbosity_changed";
        }
        boolean compacted = now.plan().compaction() != null
                || now.translated().input().stream().anyMatch(InputItem.Compaction.class::isInstance);
        return compacted ? "context_compacted" : "input_changed";
    }

    private static List<GenerationJob.FunctionTool> offered(GenerationJob job) {
        return job.choice().mode() == GenerationJob.ToolChoice.Mode.NONE ? List.of() : job.tools();
    }

    private static @Nullable String verbosity(ResponsePlan plan) {
        var text = plan.echo().text();
        return text == null ? null : text.verbosity();
    }
}
