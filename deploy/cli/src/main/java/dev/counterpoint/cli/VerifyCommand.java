package dev.counterpoint.cli;

import static java.util.Objects.requireNonNull;

import dev.counterpoint.auditlog.BundleAudit;
import dev.counterpoint.auditlog.LogAudit;
import dev.counterpoint.auditlog.TamperedLogException;
import dev.counterpoint.auditlog.TamperedLogException.Kind;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.FolderTileStore;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.VerifierKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// Verifies logs and what belongs to them.
@Command(name = "verify", description = "Verifies the audit log. Exit code 0: good, 1: changed, 2: could not check.")
final class VerifyCommand {
    private static final int BAD = 1;
    private static final int UNCHECKED = 2;
    private static final int DATABASE_TRIES = 8;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String PLACE = "Such as https://HOST/audit/v1/log, or a folder with the files of the log.";
    private static final String DATABASE = "Such as jdbc:postgresql://HOST/audit?user=NAME, as owner of the tables or"
            + " superuser. Put the password into ~/.pgpass, or into the file of the variable PGPASSFILE.";

    @Option(
            names = "--key",
            paramLabel = "VKEY",
            scope = ScopeType.INHERIT,
            description = "Key of the log, which the audit service logs at its start; several while a rotation runs.")
    List<VerifierKey> keys = List.of();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Keys of log and witnesses, as C2SP's tlog-policy; in place of --key.")
    @Nullable
    LogPolicy policy;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Bearer token of an auditor, for a URL of the audit service.")
    @Nullable
    Path token;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "Print {ok, kind, first_bad, size} in place of a sentence.")
    boolean json;

    @Spec
    @Nullable
    CommandSpec spec;

    private @Nullable Long size;
    private String good = "good";

    /// A check that throws what it finds.
    @FunctionalInterface
    private interface Check {
        void run() throws Exception;
    }

    @Command(description = "Every leaf, tile and signature, and that no leaf of a tenant was left out.")
    int log(@Parameters(paramLabel = "URL-or-FOLDER", description = PLACE) String place) {
        return report(() -> {
            var log = LogSource.open(place, token);
            LogAudit.verify(log, verified(log.note()));
        });
    }

    @Command(description = "Whether a log extends an older checkpoint of it.")
    int since(
            @Parameters(paramLabel = "OLD-CHECKPOINT") Path older,
            @Parameters(paramLabel = "URL-or-FOLDER", description = PLACE) String place) {
        return report(() -> {
            var before = verified(Files.readAllBytes(older));
            var log = LogSource.open(place, token);
            LogAudit.verifyExtends(log, before, verified(log.note()));
        });
    }

    @Command(description = "Copies a log into a folder, or what it has in addition to the copy there.")
    int mirror(
            @Parameters(paramLabel = "URL-or-FOLDER", description = PLACE) String place,
            @Parameters(paramLabel = "FOLDER") Path folder) {
        return report(() -> {
            var log = LogSource.open(place, token);
            var note = log.note();
            verified(note);
            new LogMirror(new FolderTileStore(folder), policy()).follow(log, SignedNote.parse(note));
        });
    }

    @Command(description = "Every row of the database against its leaf, and the log there.")
    int db(@Parameters(paramLabel = "JDBC-URL", description = DATABASE) String url) {
        return report(() -> {
            for (int more = DATABASE_TRIES; more > 0; more--) {
                try (var database = DatabaseAudit.open(url)) {
                    if (database.verify(this::verified, more == 1)) {
                        return;
                    }
                }
                Thread.sleep(PAUSE);
            }
        });
    }

    @Command(description = "A bundle: its rows, proofs and files.")
    int bundle(@Parameters(paramLabel = "ZIP") Path zip) {
        return report(() -> {
            int rows = BundleAudit.verify(zip, policy(), checkpoint -> size = checkpoint.size());
            good += ", %d rows".formatted(rows);
        });
    }

    private Checkpoint verified(byte[] note) {
        var checkpoint = LogAudit.verified(note, policy());
        size = checkpoint.size();
        return checkpoint;
    }

    private LogPolicy policy() {
        if (policy == null && keys.isEmpty()) {
            throw new ParameterException(command().commandLine(), "Missing --key or --policy");
        }
        return policy == null ? LogPolicy.ofLogs(keys.toArray(VerifierKey[]::new)) : policy;
    }

    private CommandSpec command() {
        return requireNonNull(spec, "picocli sets it");
    }

    private int report(Check check) {
        try {
            check.run();
            return answer(0, null, good);
        } catch (TamperedLogException e) {
            return answer(BAD, e, String.valueOf(e.getMessage()));
        } catch (InvalidLogException e) {
            return answer(BAD, new TamperedLogException(Kind.EDITED, null), "edited: " + e.getMessage());
        } catch (ParameterException e) {
            throw e;
        } catch (Exception | Error e) { // whatever it is, nothing was verified
            command().commandLine().getErr().println("Could not check: " + e);
            return answer(UNCHECKED, null, "not checked");
        }
    }

    private int answer(int code, @Nullable TamperedLogException fault, String text) {
        var kind = fault == null ? null : "\"" + fault.kind() + "\"";
        var shown = code == UNCHECKED ? null : size;
        command()
                .commandLine()
                .getOut()
                .println(
                        json
                                ? "{\"ok\":%b,\"kind\":%s,\"first_bad\":%s,\"size\":%s}"
                                        .formatted(code == 0, kind, fault == null ? null : fault.firstBad(), shown)
                                : text + (shown == null ? "" : ", " + shown + " leaves"));
        return code;
    }
}
