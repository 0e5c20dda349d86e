package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;

import dev.counterpoint.engine.testkit.ServerLoss;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Two real vLLMs, of which one dies.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
class VllmServerLossTest extends WithServers {
    @Test
    @Timeout(9000)
    void oneDiesInTheMiddleOfAnswersAndTheOtherSaysTheRest() throws IOException, InterruptedException {
        var immortal = opened(PythonServer.VLLM.start());
        var mortal = opened(PythonServer.VLLM.start());
        var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, List.of(immortal.address(), mortal.address()))
                .withNames(PythonServer.MODEL, null));
        await(() -> says(engine, "2 of 2 servers are well"));

        ServerLoss.survives(engine, request("", 300), mortal::kill);

        await(() -> engine.health().detail().startsWith("1 of 2 servers are well"));
    }
}
