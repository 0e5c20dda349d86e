package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.LoopFeed;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.RequestSpan.Side;
import dev.counterpoint.servicekit.tracing.SpanAttribute;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A response whose request is traced: one span from the first output that its reader takes to the last.
final class TracedGeneration implements Generations.Generation {
    private final Generations.Generation generation;
    private final RequestSpan request;
    private final AtomicReference<RequestSpan> delivery = new AtomicReference<>(RequestSpan.NONE);

    TracedGeneration(Generations.Generation generation, RequestSpan request) {
        this.generation = generation;
        this.request = request;
    }

    @Override
    public ResponseId id() {
        return generation.id();
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        var output = generation.next(atMostMillis);
        if (output == null) {
            return null;
        }
        if (!delivery.get().recorded()) {
            var first = request.child("deliver", Side.NEITHER);
            delivery.set(first.with(SpanAttribute.RESPONSE_ID, id().toString()));
        }
        switch (output) {
            case ModelOutput.Finished(var end) -> ended(end.finish());
            case ModelOutput.Stopped(var reason) -> ended(reason);
            case ModelOutput.Passage _,
                    ModelOutput.Hidden _,
                    ModelOutput.SealedReasoning _,
                    ModelOutput.Steered _,
                    ModelOutput.SummarySentence _,
                    ModelOutput.SummaryEnded _,
                    ModelOutput.SummaryAbandoned _ -> {}
        }
        return output;
    }

    private void ended(Enum<?> how) {
        delivery.get()
                .with(SpanAttribute.OUTCOME, how.name().toLowerCase(Locale.ROOT))
                .end();
    }

    @Override
    public @Nullable LoopFeed feed() {
        return generation.feed();
    }

    @Override
    public boolean fellBehind() {
        return generation.fellBehind();
    }

    @Override
    public void abandon() {
        delivery.get().with(SpanAttribute.OUTCOME, "abandoned").end();
        generation.abandon();
    }

    @Override
    public void settle() {
        generation.settle();
    }
}
