package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.prompt.DeclaredFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FunctionsTest {
    @Test
    void whatMustNotBeCalledIsNotTakenForACallThoughItsNameStaysThatOfEarlierCalls() {
        var job = job(ToolChoice.Mode.NONE);

        assertThat(DeclaredFunctions.callable(job).resolve("functions.get_weather"))
                .isNull();
        assertThat(DeclaredFunctions.of(job).recipient("get-weather")).isEqualTo("functions.get_weather");
    }

    @ParameterizedTest
    @EnumSource(value = ToolChoice.Mode.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void whatMayBeCalledGoesByItsDeclaredName(ToolChoice.Mode mode) {
        assertThat(DeclaredFunctions.callable(job(mode)).resolve("functions.get_weather"))
                .isEqualTo("get-weather");
    }

    private static GenerationJob job(ToolChoice.Mode mode) {
        return new GenerationJob(
                List.of(),
                List.of(new GenerationJob.FunctionTool("get-weather", "", null, false)),
                new ToolChoice(mode, "get-weather"),
                "low",
                "",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("c"));
    }
}
