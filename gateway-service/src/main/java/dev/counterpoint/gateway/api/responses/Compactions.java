package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.Usage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes conversations shorter, with a model's summary of what is left out. Thread-safe.
@ApplicationScoped
class Compactions {
    private final SealedCompactions sealed;
    private final CompactionSummaries summaries;

    Compactions(SealedCompactions sealed, CompactionSummaries summaries) {
        this.sealed = sealed;
        this.summaries = summaries;
    }

    /// A conversation in one item.
    ///
    /// @param blob the item's `encrypted_content`
    /// @param items what it holds
    /// @param summed whether there was anything to sum up
    /// @param usage of the summary
    record Compacted(String blob, List<InputItem> items, boolean summed, Usage usage) {}

    /// @param order whose conversation is compacted
    /// @param instructions for the summary, or null
    /// @throws dev.counterpoint.servicekit.ProblemException when the model does not sum it up
    Compacted compact(CheckedResponse order, Heartbeat.Model model, @Nullable String instructions)
            throws InterruptedException {
        var digest = CompactionPlan.of(order.translated().said().conversation());
        boolean summed = !digest.told().isEmpty();
        var summary = summed
                ? summaries.of(digest.transcript(), model, order.caller(), instructions)
                : new CompactionSummaries.Summary("", Usage.of(0, 0, 0, 0));
        var items = digest.with(summary.text());
        return new Compacted(sealed.seal(items, order.caller().owner()), items, summed, summary.usage());
    }
}
