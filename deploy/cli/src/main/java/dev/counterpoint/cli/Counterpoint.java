package dev.counterpoint.cli;

import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.VerifierKey;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The command `counterpoint`. Exit codes: 0 good, 1 bad, 2 could not check.
@Command(
        name = "counterpoint",
        description = "Tools for operators and auditors of Counterpoint.",
        subcommands = Counterpoint.Audit.class)
public final class Counterpoint {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private Counterpoint() {}

    @Command(
            name = "audit",
            description = "Works on the audit log.",
            subcommands = {VerifyCommand.class, KeyCommand.class})
    static final class Audit {}

    public static void main(String[] arguments) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments));
    }

    /// @return the exit code
    public static int run(PrintWriter out, PrintWriter errors, String... arguments) {
        return new CommandLine(new Counterpoint())
                .registerConverter(VerifierKey.class, VerifierKey::parse)
                .registerConverter(LogPolicy.class, file -> LogPolicy.parse(Files.readString(Path.of(file))))
                .setOut(out)
                .setErr(errors)
                .execute(arguments);
    }
}
