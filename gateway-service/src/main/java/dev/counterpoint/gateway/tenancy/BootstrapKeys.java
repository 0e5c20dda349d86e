package dev.counterpoint.gateway.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The file of keys that a launcher makes: lines `tenant key scope,scope`, where the scopes may be missing; `#` begins
/// a comment. A mistake in the file stops the start; the message names the line and never the key.
final class BootstrapKeys {
    private BootstrapKeys() {}

    record Line(int number, String tenant, ApiKey key, Set<Scope> scopes) {}

    static List<Line> read(Path file) {
        try {
            return parse(Files.readAllLines(file, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the file of bootstrap keys cannot be read: " + file, e);
        }
    }

    static List<Line> parse(List<String> lines) {
        var parsed = new ArrayList<Line>();
        for (int number = 1; number <= lines.size(); number++) {
            var content = lines.get(number - 1).replaceFirst("#.*", "").strip();
            if (!content.isEmpty()) {
                parsed.add(parse(number, content.split("\\s+")));
            }
        }
        return parsed;
    }

    private static Line parse(int number, String[] words) {
        if (words.length < 2 || words.length > 3) {
            throw wrong(number, "expected: tenant key scope,scope");
        }
        if (!TenantName.isValid(words[0])) {
            throw wrong(number, "the tenant's name must match " + TenantName.FORM);
        }
        var key = ApiKey.parse(words[1])
                .orElseThrow(() -> wrong(number, "a key has 32 to 128 letters, digits, '-' and '_'"));
        var scopes = EnumSet.noneOf(Scope.class);
        if (words.length == 3) {
            for (var name : words[2].split(",")) {
                scopes.add(Scope.named(name).orElseThrow(() -> wrong(number, "unknown scope " + name)));
            }
        }
        return new Line(number, words[0], key, scopes);
    }

    static IllegalStateException wrong(int line, String what) {
        return new IllegalStateException("bootstrap keys, line " + line + ": " + what);
    }
}
