package dev.counterpoint.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/// Where the suite is and which key opens it. No option takes a key, because everybody on the machine sees the options.
class ConnectionOptions {
    private static final Set<PosixFilePermission> OWN =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    @Option(names = "--url", paramLabel = "URL", description = "Address, in place of the variable's.")
    private @Nullable String url;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the key or token, in place of the variable's; mode 0600.")
    private @Nullable Path keyFile;

    @Option(names = "--json", description = "Print JSON as the suite answers it.")
    private boolean json;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec spec;

    boolean json() {
        return json;
    }

    CommandOutput terminal() {
        return root().terminal(requireNonNull(spec).commandLine());
    }

    Map<String, String> environment() {
        return root().environment();
    }

    private Counterpoint root() {
        return (Counterpoint) requireNonNull(spec).root().userObject();
    }

    boolean hasKey(SuiteApi api) {
        return keyFile != null || api.key(environment()).isPresent();
    }

    /// @throws CommandFailure when there is no address or no key
    SuiteClient client(SuiteApi api) {
        var address = url == null ? api.url(environment()) : url.replaceFirst("/+$", "");
        if (keyFile != null) {
            return new SuiteClient(address, key(keyFile), keyFile.toString());
        }
        var key = api.key(environment())
                .orElseThrow(
                        () -> CommandFailure.notAsked("No key: set " + api.keyVariable() + " or give --key-file."));
        return new SuiteClient(address, key.strip(), api.keyVariable());
    }

    private static String key(Path file) {
        try {
            if (Files.getFileStore(file).supportsFileAttributeView("posix")
                    && !OWN.containsAll(Files.getPosixFilePermissions(file))) {
                throw CommandFailure.notAsked(file + " may be read by others: chmod 600 it.");
            }
        } catch (IOException e) {
            throw CommandFailure.notAsked(file + " cannot be read.");
        }
        return content(file).strip();
    }

    static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw CommandFailure.notAsked(file + " cannot be read.");
        }
    }

    /// Prints entries, as a table where there are columns and no JSON is asked for.
    ///
    /// @param columns members to show
    int print(JsonNode entries, String... columns) {
        var terminal = terminal();
        if (json || columns.length == 0) {
            terminal.line(json ? entries.toString() : entries.toPrettyString());
            return 0;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(Arrays.stream(columns)
                .map(name -> name.toUpperCase(Locale.ROOT))
                .toList());
        for (var entry : entries.isArray() ? entries : List.of(entries)) {
            rows.add(Arrays.stream(columns).map(name -> cell(entry.path(name))).toList());
        }
        terminal.table(rows);
        return 0;
    }

    private static String cell(JsonNode value) {
        var text =
                value.isNull() || value.isMissingNode() ? "-" : value.isTextual() ? value.asText() : value.toString();
        return text.strip().replaceAll("\\s+", " ");
    }
}
