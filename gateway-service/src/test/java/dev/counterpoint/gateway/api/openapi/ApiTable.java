package dev.counterpoint.gateway.api.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The tables of `API.md`.
record ApiTable(List<Endpoint> endpoints, List<Field> fields) {
    private static final Path FILE = Path.of("API.md");
    private static final String FIELDS = "## Fields of `POST ";

    enum Status {
        SUPPORTED,
        IGNORED,
        REFUSED;

        static Status of(String word) {
            return Arrays.stream(values())
                    .filter(status -> status.name().equalsIgnoreCase(word))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no status: " + word));
        }
    }

    /// @param path with names in braces
    record Endpoint(String method, String path, Status status) {}

    /// @param path of the endpoint whose body has it
    /// @param members a body's members that show it, as a JSON object
    record Field(String path, String name, Status status, String members) {
        @Override
        public String toString() {
            return "%s %s %s".formatted(path, members, status);
        }
    }

    static ApiTable read() {
        var endpoints = new ArrayList<Endpoint>();
        var fields = new ArrayList<Field>();
        var section = "";
        for (var line : lines()) {
            section = line.startsWith("## ") ? line : section;
            var cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            if (cells.size() < 6 || cells.get(1).startsWith("---")) {
                continue;
            }
            if (section.equals("## Endpoints") && cells.get(2).startsWith("`")) {
                endpoints.add(new Endpoint(cells.get(1), bare(cells.get(2)), Status.of(cells.get(3))));
            } else if (section.startsWith(FIELDS) && cells.get(1).startsWith("`")) {
                var path = section.substring(FIELDS.length(), section.length() - 1);
                fields.add(new Field(path, bare(cells.get(1)), Status.of(cells.get(2)), bare(cells.get(3))));
            }
        }
        return new ApiTable(endpoints, fields);
    }

    private static String bare(String code) {
        return code.substring(1, code.length() - 1);
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
