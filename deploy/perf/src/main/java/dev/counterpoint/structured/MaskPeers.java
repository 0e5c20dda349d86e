package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The decoders of others, measured in programs of their own. One that cannot be installed is named in a line and
/// left out.
final class MaskPeers {
    private static final Path FOLDER = Path.of("target", "masks").toAbsolutePath();
    private static final int MINUTES_MAX = 8;

    private final List<SchemaCase> cases;
    private final int xgrammarCases = Integer.getInteger("bench.xgrammar", 0);
    private final Map<String, PeerInstallation> installed = new LinkedHashMap<>();

    MaskPeers(List<SchemaCase> cases) {
        this.cases = cases;
    }

    void installAll() throws IOException {
        Files.createDirectories(FOLDER);
        install(PeerInstallation.LLGUIDANCE);
        if (xgrammarCases > 0) {
            install(PeerInstallation.XGRAMMAR);
        }
    }

    private void install(String peer) {
        try {
            installed.put(peer, PeerInstallation.of(peer));
        } catch (IOException e) {
            System.out.println("bench: " + peer + " is not to be had here: " + e.getMessage());
        }
    }

    /// What each peer made of the schemas; of those of a peer that is slow, the first ones.
    Map<String, SchemaReport> measure() throws IOException, InterruptedException {
        var reports = new LinkedHashMap<String, SchemaReport>();
        for (var peer : installed.entrySet()) {
            boolean all = peer.getKey().equals(PeerInstallation.LLGUIDANCE);
            var some = all ? cases : cases.subList(0, Math.min(cases.size(), xgrammarCases));
            var outcomes = measure(peer.getKey(), peer.getValue(), some);
            if (outcomes.size() < some.size()) {
                System.out.println("bench: " + peer.getKey() + " came through " + outcomes.size() + " of " + some.size()
                        + " schemas");
            }
            if (!outcomes.isEmpty()) {
                reports.put(peer.getKey(), new SchemaReport(outcomes));
            }
        }
        return reports;
    }

    private static List<SchemaOutcome> measure(String peer, PeerInstallation installation, List<SchemaCase> some)
            throws IOException, InterruptedException {
        var questions = FOLDER.resolve("cases.jsonl");
        Files.write(questions, some.stream().map(MaskPeers::question).toList());
        var answers = FOLDER.resolve(peer.replace(' ', '-') + ".jsonl");
        var errors = FOLDER.resolve(peer.replace(' ', '-') + ".err");
        var process = installation
                .program(questions.toString())
                .redirectOutput(answers.toFile())
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        var byId = new HashMap<String, SchemaCase>();
        some.forEach(one -> byId.put(one.id(), one));
        var outcomes = new ArrayList<SchemaOutcome>();
        for (var line : Files.readAllLines(answers)) {
            var outcome = line.endsWith("}") ? outcome(SchemaCase.parsed(line), byId) : null;
            if (outcome != null) {
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    private static String question(SchemaCase one) {
        var tests = SchemaDice.array(List.of());
        for (var instance : one.instances()) {
            var tokens = SchemaDice.array(List.of());
            for (int token : ModelTokens.encode(instance.text())) {
                tokens.add(token);
            }
            tests.add(SchemaDice.object().put("valid", instance.valid()).set("tokens", tokens));
        }
        var question = SchemaDice.object().put("id", one.id());
        question.put("schema", one.schema().toString());
        return question.set("tests", tests).toString();
    }

    private static @Nullable SchemaOutcome outcome(JsonNode answer, Map<String, SchemaCase> byId) {
        var schema = byId.get(answer.path("id").asText());
        if (schema == null) {
            return null;
        }
        if (!answer.path("refused").isNull()) {
            return SchemaOutcome.refused(
                    schema, "refused", answer.path("refused").asText());
        }
        var steps = new ArrayList<Long>();
        answer.path("step_ns").forEach(nanos -> steps.add(nanos.asLong()));
        var accepted = new ArrayList<Boolean>();
        answer.path("accepted").forEach(one -> accepted.add(one.asBoolean()));
        long compile = answer.path("compile_ns").asLong();
        return new SchemaOutcome(schema, null, compile, steps, accepted, List.of());
    }
}
