package dev.counterpoint.cli;

import static java.util.Objects.requireNonNull;

import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.VerifierKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The command `counterpoint`. Exit codes: 0 done or good, 1 refused, failed or bad, 2 could not ask or check.
@Command(
        name = "counterpoint",
        description = "Asks, operates and audits Counterpoint.",
        footer = {
            "",
            "Addresses and keys come from the environment, as deploy/local/up writes it to deploy/local/.state/env:",
            "OPENAI_BASE_URL and OPENAI_API_KEY, COUNTERPOINT_ADMIN_TOKEN for operators, COUNTERPOINT_AUDIT_URL and",
            "COUNTERPOINT_COMPLIANCE_TOKEN for auditors.",
            "Exit codes: 0 done, 1 the suite refuses or fails, 2 it could not be asked."
        },
        subcommands = {
            ResponsesCommand.class,
            AdminCommands.Tenants.class,
            AdminCommands.ApiKeys.class,
            BenchCommand.class,
            AuditCommand.class
        })
public final class Counterpoint {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private final Map<String, String> environment;
    private final InputStream input;

    Counterpoint(Map<String, String> environment, InputStream input) {
        this.environment = environment;
        this.input = input;
    }

    Map<String, String> environment() {
        return environment;
    }

    InputStream input() {
        return input;
    }

    /// Styles need a terminal, which the launcher knows.
    CommandOutput terminal(CommandLine command) {
        boolean styled = Boolean.getBoolean("counterpoint.terminal") && !environment.containsKey("NO_COLOR");
        return new CommandOutput(command.getOut(), command.getErr(), styled);
    }

    @Command(description = "Asks the model and prints the answer as it comes.")
    int ask(
            @Mixin RequestOptions options,
            @Option(names = "--previous", paramLabel = "ID", description = "Response to continue from.") @Nullable
                    String previous,
            @Parameters(paramLabel = "TEXT", arity = "1..*", description = "The question; - for standard input.")
                    List<String> words)
            throws IOException {
        var question = words.equals(List.of("-"))
                ? new String(input.readAllBytes(), StandardCharsets.UTF_8)
                : String.join(" ", words);
        return new ModelConversation(options, previous).ask(question);
    }

    @Command(description = "Talks to the model: a line is a question. /new begins anew, /exit or Ctrl-D ends.")
    int chat(@Mixin RequestOptions options) throws IOException {
        return new ModelConversation(options, null).chat(input);
    }

    @Command(description = "Lists the models that the suite serves now.")
    int models(@Mixin ConnectionOptions connection) {
        var models = connection.client(SuiteApi.OPENAI).get("/models");
        return connection.print(models.path("data"), "id", "context_length", "description");
    }

    @Command(description = "Lists the workers and their slots. Needs COUNTERPOINT_ADMIN_TOKEN.")
    int workers(@Mixin ConnectionOptions connection) {
        var workers = connection.client(SuiteApi.ADMIN).get("/admin/workers");
        return connection.print(workers.path("data"), "id", "model", "state", "slots", "busy", "last_seen");
    }

    @Command(
            description = "Reports requests and tokens by day, tenant, key and model. Needs COUNTERPOINT_ADMIN_TOKEN."
                    + " --where tenant=ID and --where key=ID select;"
                    + " --where format=csv makes a table for spreadsheets.")
    int usage(
            @Mixin ConnectionOptions connection,
            @Mixin MemberOptions members,
            @Parameters(
                            paramLabel = "FROM TO",
                            arity = "0..2",
                            description = "Days such as 2026-11-01; without, today.")
                    @Nullable
                    List<String> days)
            throws IOException {
        var query = members.body();
        if (days != null && !days.isEmpty()) {
            query.put("from", days.getFirst()).put("to", days.getLast());
        }
        var client = connection.client(SuiteApi.ADMIN);
        if (query.has("tenant")) {
            query.put(
                    "tenant",
                    AdminCommands.tenant(client, query.path("tenant").asText()).replaceFirst(".*/", ""));
        }
        var path = new StringBuilder("/admin/usage");
        query.forEachEntry((name, value) -> path.append(path.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(SuiteClient.encoded(value.asText())));
        var report = client.text("GET", path.toString(), null);
        if (connection.json() || query.has("format")) {
            connection.terminal().text(report);
            return 0;
        }
        var lines = SuiteClient.JSON.createArrayNode();
        for (var line : report.lines().toList()) {
            lines.add(SuiteClient.JSON.readTree(line));
        }
        return connection.print(
                lines,
                "day",
                "tenant",
                "key",
                "model",
                "requests",
                "input_tokens",
                "cached_tokens",
                "output_tokens",
                "reasoning_tokens");
    }

    @Command(description = "Prints a script that completes words: source <(counterpoint completion)")
    int completion() {
        var command = requireNonNull(spec).commandLine();
        command.getOut().println(AutoComplete.bash("counterpoint", command));
        return 0;
    }

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        var out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), true);
        var errors = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
        System.exit(run(new Counterpoint(System.getenv(), System.in), out, errors, arguments));
    }

    /// @return the exit code
    public static int run(PrintWriter out, PrintWriter errors, String... arguments) {
        return run(new Counterpoint(Map.of(), InputStream.nullInputStream()), out, errors, arguments);
    }

    static int run(Counterpoint root, PrintWriter out, PrintWriter errors, String... arguments) {
        return new CommandLine(root)
                .setExecutionExceptionHandler((failure, command, _) -> failed(failure, command))
                .registerConverter(VerifierKey.class, VerifierKey::parse)
                .registerConverter(LogPolicy.class, file -> LogPolicy.parse(Files.readString(Path.of(file))))
                .setOut(out)
                .setErr(errors)
                .execute(arguments);
    }

    /// One line, and no stack trace: it means nothing to the user, and messages of libraries may quote keys.
    private static int failed(Exception failure, CommandLine command) {
        if (failure instanceof CommandFailure known) {
            command.getErr().println(known.getMessage());
            return known.exitCode();
        }
        command.getErr()
                .println("This is a mistake of the command: "
                        + failure.getClass().getName());
        return CommandFailure.NOT_ASKED;
    }
}
