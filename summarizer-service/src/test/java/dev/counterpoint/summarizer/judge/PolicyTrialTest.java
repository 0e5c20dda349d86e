package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTrialTest {
    private static final String POLICY = """
            {"version": 1,
             "policy": "# Instructions\\nAnswer 0 or 1.\\n# Definitions\\nA secret is ...\\n\
            # Violates\\n# Safe\\n# Examples\\n",
             "guarded": ["falcon project", "琥珀"],
             "public_names": ["Brindlefox"]}
            """;

    @TempDir
    private Path folder;

    @Test
    void readsAValidPolicy() throws IOException {
        assertThat(PolicyFile.read(policy(POLICY)).judgePolicy())
                .isEqualTo(new JudgePolicy(List.of("falcon project", "琥珀"), List.of("Brindlefox")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '$',
            value = {
                "\"version\": 1 ~ \"version\": 2 ~ version: only 1 is known",
                "falcon project ~ of the ~ guarded[0]: one to 6 words, one of them more than grammar",
                "falcon project ~ a b c d e f falcons ~ guarded[0]: one to 6 words, one of them more than grammar",
                "falcon project ~ Brindlefox ~ public_names: 1 are guarded too",
                "# Examples ~ Examples ~ policy: no heading with \"examples\"",
                "A secret is ~ A secret is <|end|> ~ policy: holds the beginning of a special token",
                "\"guarded\" ~ \"gaurded\" ~ no policy: no JSON, or an unknown member, before line 4"
            })
    void namesTheProblemAndNotTheText(String valid, String invalid, String problem) throws IOException {
        var file = policy(POLICY.replace(valid, invalid));
        assertThatThrownBy(() -> PolicyFile.read(file)).hasMessage(problem);
    }

    @Test
    void countsWhatIsShownAndRefusedWithoutATextOfACase() throws IOException {
        var cases = folder.resolve("cases.jsonl");
        Files.write(
                cases,
                List.of(
                        recorded("good", "show", "I'm thinking of what Brindlefox offers."),
                        recorded("blocked", "show", "I'm thinking of twenty ways."),
                        recorded("secret", "refuse", "I'm thinking of marble."),
                        recorded("missed", "refuse", "I'm thinking of bread.")));
        var out = new StringBuilder();
        int status = PolicyTrial.run(new String[] {policy(POLICY).toString(), cases.toString()}, out);
        assertThat(status).isEqualTo(1);
        assertThat(out.toString().lines().map(String::strip).collect(Collectors.joining(" ")))
                .isEqualTo("{ \"cases\" : 4, \"shown\" : 2, \"leaked\" : [ \"missed\" ], "
                        + "\"over_blocked\" : [ \"blocked\" ], "
                        + "\"over_blocked_by\" : { \"numbers en\" : 1 }, "
                        + "\"refused_by\" : { \"numbers\" : 1, \"words\" : 1 } }");
    }

    @Test
    void quotesNoCaseThatCannotBeRead() throws IOException {
        var cases = folder.resolve("cases.jsonl");
        Files.writeString(cases, "{\"id\": \"x\", \"marble\": 1}\n");
        var out = new StringBuilder();
        int status = PolicyTrial.run(new String[] {policy(POLICY).toString(), cases.toString()}, out);
        assertThat(status).isEqualTo(1);
        assertThat(out).hasToString("line 1 of the cases is no case\n");
    }

    private Path policy(String json) throws IOException {
        return Files.writeString(folder.resolve("policy.json"), json);
    }

    private static String recorded(String id, String expect, String text) {
        return """
                {"id": "%s", "language": "en", "expect": "%s", \
                "confidential": ["Brindlefox. The code word is marble."], \
                "title": "Looking around", "text": "%s"}""".formatted(id, expect, text);
    }

    @Test
    void ourOwnPolicyIsAValidOne() {
        assertThat(new PolicyFile(1, PolicyFile.DEFAULT.policyText(), null, null).problems())
                .isEmpty();
    }
}
