package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.worker.output.OutputComposer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationPlannerTest {
    private static final FunctionTool TOOL = new FunctionTool("f", "", null, false);
    private static final ResponseFormat FORMAT = new ResponseFormat("n", null, "{}", false);

    private final PatientEngine engine = new PatientEngine();

    @ParameterizedTest(name = "{0}, limit {1}, engine {2}: {3}")
    @CsvSource({
        "PLAIN,0,MASKS,false",
        "FORMAT,0,MASKS,true",
        "FORMAT,0,FORMS,true",
        "FORMAT,0,MESSAGES,true",
        "REQUIRED,0,FORMS,true",
        "FUNCTION,0,MESSAGES,true",
        "AUTO,0,MASKS,true",
        "AUTO,0,FORMS,false",
        "NONE,0,MASKS,false",
        "FORMAT,3000,MASKS,false",
        "REQUIRED,9,FORMS,false",
    })
    void anAnswerThatMustKeepToAFormIsBoundedOnEveryEngine(String kind, int limit, String ability, boolean bounded) {
        // Given
        engine.abilities = ability.equals("FORMS") ? Set.of() : Set.of(Ability.valueOf(ability));
        var bench = new Workbench(engine, TestKeys.of(ServiceRole.WORKER));
        var job = job(kind, limit);
        var log = new AttemptLog(TestKeys.of(ServiceRole.WORKER), true);
        var attempt = bench.attempt(AttemptLog.ticket(1), log.publisher(1, 1, AttemptKeys.create()));
        // When
        var planner = new GenerationPlanner(job, DeclaredFunctions.of(job), bench.context);
        var composer = new OutputComposer(DeclaredFunctions.of(job), OutputComposer.Stops.at(), _ -> {}, false);
        var runs = new SampledRuns(AttemptLog.ticket(1), job, composer, engine.describe());
        var plan = (GenerationPlan.Ready) planner.plan(attempt, runs);
        // Then
        boolean limited = bounded || limit != 0;
        assertThat(plan.limitedByJob()).isEqualTo(limited);
        if (limited) {
            assertThat(plan.request().maxTokens()).isEqualTo(bounded ? Workbench.FORM_TOKENS_MAX : limit);
        }
    }

    private static GenerationJob job(String kind, int limit) {
        boolean tools = !kind.equals("PLAIN") && !kind.equals("FORMAT");
        var choice = tools ? new ToolChoice(ToolChoice.Mode.valueOf(kind), "f") : ToolChoice.AUTO;
        @Nullable ResponseFormat format = kind.equals("FORMAT") ? FORMAT : null;
        var asked = Workbench.asking("hi");
        return new GenerationJob(
                asked.prompt(),
                tools ? List.of(TOOL) : List.of(),
                choice,
                asked.effort(),
                asked.date(),
                format,
                asked.sampling(),
                limit,
                asked.reasoning());
    }
}
