package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Every visible passage is a word.
final class SplitText implements TurnAssembler<String> {
    private boolean begun;
    private @Nullable TurnEnding ending;

    @Override
    public List<String> begin() {
        begun = true;
        return List.of("begin");
    }

    @Override
    public List<String> accept(ModelOutput next) {
        assertThat(begun).isTrue();
        return switch (next) {
            case ModelOutput.Passage passage -> List.of(passage.delta().text());
            case ModelOutput.Hidden _,
                    ModelOutput.SealedReasoning _,
                    ModelOutput.SummarySentence _,
                    ModelOutput.SummaryEnded _,
                    ModelOutput.SummaryAbandoned _,
                    ModelOutput.Steered _ -> List.of();
            case ModelOutput.Finished finished -> {
                ending = TurnEnding.of(finished);
                yield List.of("end");
            }
            case ModelOutput.Stopped stopped -> {
                ending = TurnEnding.of(stopped);
                yield List.of("end");
            }
        };
    }

    @Override
    public Optional<TurnEnding> ending() {
        return Optional.ofNullable(ending);
    }
}
