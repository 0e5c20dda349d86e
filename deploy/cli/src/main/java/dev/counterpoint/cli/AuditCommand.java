package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands for auditors.
@Command(
        name = "audit",
        description = "Searches, reads and verifies what is audited.",
        subcommands = {VerifyCommand.class, KeyCommand.class})
final class AuditCommand {
    private static final String RECORDS = "/audit/v1/records/";

    @Command(
            description = "Finds records, the newest first, such as: audit search --where tenant=ID --where"
                    + " status=completed. Also key, model, response, subject_token, flagged, from, to, limit, after."
                    + " Needs COUNTERPOINT_COMPLIANCE_TOKEN. The search is on record then.")
    int search(
            @Mixin ConnectionOptions connection,
            @Mixin MemberOptions members,
            @Option(
                            names = "--subject-file",
                            paramLabel = "FILE",
                            description = "File with the end user's name, which everybody could see as an option.")
                    @Nullable
                    Path subject) {
        var body = members.body();
        if (body.has("response")) {
            body.put("response", bare(body.path("response").asText()));
        }
        if (subject != null) {
            body.put("subject", ConnectionOptions.content(subject).strip());
        }
        var found = connection.client(SuiteApi.AUDIT).send("POST", RECORDS + "search", body);
        if (found.hasNonNull("next") && !connection.json()) {
            connection
                    .terminal()
                    .error("More: --where after=" + found.path("next").asText());
        }
        return connection.print(
                connection.json() ? found : found.path("data"),
                "response",
                "accepted_at",
                "status",
                "tenant",
                "model",
                "altered",
                "erased");
    }

    @Command(
            description = "Reads a record. Needs COUNTERPOINT_COMPLIANCE_TOKEN. Reader, case and reason go on record"
                    + " first.")
    int read(
            @Mixin ConnectionOptions connection,
            @Option(names = "--case", paramLabel = "ID", required = true, description = "The reader's case.")
                    String caseId,
            @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why it is read.")
                    String reason,
            @Parameters(paramLabel = "RESPONSE", description = "Id of the response.") String response) {
        var body = JsonNodeFactory.instance.objectNode().put("case_id", caseId).put("reason", reason);
        var path = RECORDS + SuiteClient.encoded(bare(response)) + "/read";
        return connection.print(connection.client(SuiteApi.AUDIT).send("POST", path, body));
    }

    /// Records name a response without the prefix of its API.
    private static String bare(String id) {
        return id.replaceFirst("^(resp_|chatcmpl-)", "");
    }
}
