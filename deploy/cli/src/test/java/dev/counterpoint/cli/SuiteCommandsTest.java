package dev.counterpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The commands that talk to a suite, against recorded answers.
class SuiteCommandsTest {
    private static final String TENANT = "{\"id\":\"tenant_1\",\"object\":\"tenant\",\"name\":\"local\"}";
    private static final String TENANTS = "{\"data\":[" + TENANT + "],\"last_id\":\"tenant_1\",\"has_more\":false}";
    private static final String STORY = """
            {"id":"resp_1","source":"frames","tenant":"tenant_1","key":"key_1","model":"gpt-oss-20b","gateway":"g-1",
            "band":"normal","accepted_at_ms":1000,"ending":"stop","ended_at_ms":1900,"attempts":[{"number":1,
            "worker":"w-1","fenced_at_ms":1012,"first_reasoning_at_ms":null,"first_text_at_ms":1300,"closed_at_ms":1900,
            "outcome":"ended"}],"tokens":{"input":5,"cached":0,"reasoning":2,"text":7},"audited":false,
            "status":"completed","warnings":["reasoning_late"],
            "replay":{"possible":false,"why_not":"it is not stored"}}""";
    private static final List<String> COMMANDS = List.of(
            "ask Hello",
            "ask --json Hello",
            "models",
            "responses show resp_1",
            "responses replay resp_1",
            "tenants list",
            "tenants create new",
            "tenants change local --set tokens_per_day=5",
            "tenants delete local",
            "keys list local",
            "keys create local",
            "keys revoke local key_1",
            "usage",
            "workers",
            "audit search",
            "audit read resp_1 --case C-1 --reason test");

    private RecordedSuite suite;

    @BeforeEach
    void start() throws IOException {
        suite = new RecordedSuite();
        suite.on("POST /v1/responses", RecordedSuite.recording("summary.sse"))
                .on("GET /v1/responses/resp_1?stream=true", RecordedSuite.recording("summary.sse"))
                .on("GET /admin/responses/resp_1", STORY)
                .on("GET /admin/tenants?limit=100", TENANTS)
                .on("POST /admin/tenants", TENANT)
                .on("PATCH /admin/tenants/tenant_1", TENANT)
                .on("DELETE /admin/tenants/tenant_1", "{\"id\":\"tenant_1\",\"deleted\":true}")
                .on("GET /admin/tenants/tenant_1/keys?limit=100", "{\"data\":[{\"id\":\"key_1\",\"scopes\":[\"a\"]}]}")
                .on("POST /admin/tenants/tenant_1/keys", "{\"key\":{\"id\":\"key_2\"},\"secret\":\"sk-new\"}")
                .on("DELETE /admin/tenants/tenant_1/keys/key_1", "{\"id\":\"key_1\"}")
                .on("GET /admin/usage", "{\"day\":\"2026-11-01\",\"requests\":3}\n")
                .on("GET /admin/usage?format=csv&tenant=tenant_1", "day,tenant\r\n")
                .on(
                        "GET /admin/workers",
                        "{\"data\":[{\"id\":\"w-1\",\"model\":\"m\",\"state\":\"ready\",\"slots\":4}]}")
                .on(
                        "POST /audit/v1/records/search",
                        "{\"data\":[{\"response\":\"1\",\"status\":\"completed\"}],\"next\":\"n\"}")
                .on("POST /audit/v1/records/1/read", "{\"segments\":[{\"text\":\"thought\"}]}");
    }

    @AfterEach
    void stop() {
        suite.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none|It is 4",
                "summary|Weighs the numbers.",
                "full|2 and 2 make 4",
            })
    void showsAsMuchReasoningAsAskedFor(String mode, String shown) {
        var run = suite.run("ask", "--reasoning", mode, "What", "is", "2+2?");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(shown).contains("It is 4").contains("add {\"a\":2}");
        assertThat(run.out().contains("Weighs")).isEqualTo(!mode.equals("none"));
        assertThat(run.out().contains("2 and 2")).isEqualTo(mode.equals("full"));
        assertThat(run.errors()).isEqualTo("Warning: empty_answer: not really\n");
        assertThat(suite.requests().getLast())
                .contains("\"input\":\"What is 2+2?\"")
                .contains("\"reasoning\":\"" + mode + "\"")
                .contains("\"model\":\"gpt-oss-20b\"");
    }

    @Test
    void sendsSchemaToolsAndEffort(@TempDir Path folder) throws IOException {
        var schema = Files.writeString(folder.resolve("schema"), "{\"type\":\"object\"}");
        var tools = Files.writeString(folder.resolve("tools"), "[{\"type\":\"function\",\"name\":\"add\"}]");

        suite.run(
                "ask",
                "--schema",
                schema.toString(),
                "--tools",
                tools.toString(),
                "--effort",
                "high",
                "--reasoning",
                "summary",
                "-m",
                "m",
                "Hi");

        assertThat(suite.requests().getLast())
                .contains("\"schema\":{\"type\":\"object\"}")
                .contains("\"strict\":true")
                .contains("\"name\":\"add\"")
                .contains("\"reasoning\":{\"effort\":\"high\",\"summary\":\"auto\"}")
                .contains("\"model\":\"m\"");
        assertThat(suite.run("ask", "--schema", folder.toString(), "Hi").errors())
                .isEqualTo(folder + " cannot be read.\n");
    }

    @Test
    void chatContinuesTheConversation() {
        var run = suite.typing("One\n\nTwo\n/new\nThree\n/exit\nFour\n", "chat");

        assertThat(run.code()).isZero();
        var asked =
                suite.requests().stream().filter(one -> one.startsWith("POST")).toList();
        assertThat(asked).hasSize(3);
        assertThat(asked.get(0)).contains("\"One\"").doesNotContain("previous_response_id");
        assertThat(asked.get(1)).contains("\"Two\"").contains("\"previous_response_id\":\"resp_1\"");
        assertThat(asked.get(2)).contains("\"Three\"").doesNotContain("previous_response_id");
    }

    @Test
    void aQuestionMayComeFromStandardInput() {
        suite.typing("piped", "ask", "-");

        assertThat(suite.requests().getLast()).contains("\"input\":\"piped\"");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "models|gpt-oss-20b",
                "responses show resp_1|w-1, took it +12 ms, answer +300 ms, ended +900 ms",
                "responses show resp_1|it is not stored",
                "responses show --json resp_1|\"source\":\"frames\"",
                "responses replay resp_1|It is 4",
                "responses replay --json resp_1|\"type\":\"response.completed\"",
                "tenants list|tenant_1",
                "tenants create new --set tokens_per_day=5|tenant_1",
                "tenants change local --set tokens_per_day=null|tenant_1",
                "tenants delete local|true",
                "keys list local|key_1",
                "keys create local --set scopes=reasoning:raw --set name=ci|sk-new",
                "keys revoke tenant_1 key_1|key_1",
                "usage|2026-11-01",
                "usage --where format=csv --where tenant=local|day,tenant",
                "workers|ready",
                "audit search --where status=completed --where response=resp_1|completed",
                "audit read resp_1 --case C-1 --reason test|thought",
                "completion|complete"
            })
    void printsWhatItIsAskedFor(String command, String shown) {
        var run = suite.run(command.split(" "));

        assertThat(run.out()).contains(shown);
        assertThat(run.code()).isZero();
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void aWrongKeyIsOneLineWithoutTheKey(String command) {
        var run = RecordedSuite.asked(suite.address(), "sk-wrong", "", command.split(" "));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.errors())
                .startsWith("The suite refuses the key of ")
                .doesNotContain("sk-wrong")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void aDeadSuiteIsOneLine(String command) {
        var run = RecordedSuite.asked("http://localhost:1", "sk-some", "", command.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.errors()).startsWith("The suite at http://localhost:1").hasLineCount(1);
    }

    @Test
    void anUnknownModelIsOneLine() {
        suite.on("POST /v1/responses", 404, "{\"error\":{\"message\":\"The model 'x' does\\nnot exist.\"}}");

        assertThat(suite.run("ask", "-m", "x", "Hi"))
                .isEqualTo(new CommandRun(1, "", "The model 'x' does not exist. (HTTP 404)\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "response.failed\",\"response\":{\"status\":\"failed\","
                        + "\"error\":{\"message\":\"It broke.\"}}}|It broke.",
                "response.incomplete\",\"response\":{\"status\":\"incomplete\","
                        + "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}}|max_output_tokens",
                "error\",\"message\":\"Too busy.\"}|Too busy.",
                "response.created\",\"sequence_number\":0,\"response\":{\"id\":\"resp_9\"}}|replay resp_9 --after 0",
                "<html>|not JSON"
            })
    void anAnswerThatIsNotWholeIsAFailure(String stream, String shown) {
        suite.on("POST /v1/responses", "data: {\"type\":\"" + stream + "\n\n");

        var run = suite.run("ask", "Hi");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.errors()).contains(shown).hasLineCount(1);
    }

    static Stream<String> badUsage() {
        return Stream.of("ask", "ask --reasoning some Hi", "tenants list --key sk-secret", "nonsense");
    }

    @ParameterizedTest
    @MethodSource("badUsage")
    void refusesWrongUsage(String arguments) {
        assertThat(suite.run(arguments.split(" ")).code()).isEqualTo(2);
        assertThat(suite.requests()).isEmpty();
    }

    @Test
    void aKeyFileMustBeTheOwnersOnly(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("key"), RecordedSuite.KEY + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        var open = RecordedSuite.asked(suite.address(), "sk-wrong", "", "models", "--key-file", file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        var closed = RecordedSuite.asked(suite.address(), "sk-wrong", "", "models", "--key-file", file.toString());

        assertThat(open.code()).isEqualTo(2);
        assertThat(open.errors()).isEqualTo(file + " may be read by others: chmod 600 it.\n");
        assertThat(closed.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no address|sk-a|is no address",
                "localhost:8080|sk-a|is no address",
                "http://localhost:1|sk-a\\nb|has characters that no key has",
                "http://localhost:1|''|No key: set OPENAI_API_KEY"
            })
    void aBadSettingIsOneLine(String address, String key, String shown) {
        var run = RecordedSuite.asked(address, key.replace("\\n", "\n"), "", "models");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.errors()).contains(shown).doesNotContain("sk-a").hasLineCount(1);
    }

    @Test
    void aTerminalGetsNoControlCharactersOfTheModel() {
        var out = new StringWriter();
        var terminal = new CommandOutput(new PrintWriter(out), new PrintWriter(new StringWriter()), true);

        terminal.dim("thinks \u001b]0;title\u0007");
        terminal.text("4\u001b[2J\u009b.\n");
        terminal.line("a\tb");

        assertThat(out).hasToString("\u001b[2mthinks ]0;title\u001b[0m4[2J.\na\tb\n");
    }

    @Test
    void benchCountsAnswersAndFailures() {
        var good = suite.run("bench", "-n", "6", "-c", "3", "--json");
        suite.on("POST /v1/responses", 503, "{\"error\":{\"message\":\"Too busy.\"}}");
        var bad = suite.run("bench", "-n", "2", "-c", "1");

        assertThat(good.code()).isZero();
        assertThat(good.out()).contains("\"answers\":6").contains("\"failed\":0");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.errors()).isEqualTo("Failed: Too busy. (HTTP 503)\n");
        assertThat(suite.run("bench", "-c", "0").code()).isEqualTo(2);
    }
}
