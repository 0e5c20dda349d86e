package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.EngineNotice.Code;
import dev.counterpoint.servicekit.Misconfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerReadinessTest {
    @ParameterizedTest(name = "{1}")
    @CsvSource({"SILENT, engine-silent", "UNFIT, engine-unfit", "CONTEXT, engine-context", "WITHHOLDS, engine-withholds"
    })
    void reportsNoticesOfTheEngineByTheirCodes(Code code, String reported) {
        assertThat(WorkerReadiness.ofEngine(List.of(new EngineNotice(code, "why"))))
                .containsExactly(new Misconfiguration(reported, "why"));
    }

    @Test
    void anEngineThatIsBeingExaminedIsNotMisconfigured() {
        assertThat(WorkerReadiness.ofEngine(List.of(new EngineNotice(Code.BEING_EXAMINED, "soon"))))
                .isEmpty();
    }
}
