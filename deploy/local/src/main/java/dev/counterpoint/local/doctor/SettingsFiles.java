package dev.counterpoint.local.doctor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// The files that `QUARKUS_CONFIG_LOCATIONS` names, in which a container has its passwords.
public final class SettingsFiles {
    private static final String VARIABLE = "QUARKUS_CONFIG_LOCATIONS";

    private SettingsFiles() {}

    /// Those that a service would not start with.
    public static List<Misconfiguration> look(Map<String, String> environment) {
        return locations(environment).stream()
                .filter(location -> read(location).isEmpty())
                .map(location -> new Misconfiguration(
                        "settings-file-unreadable",
                        VARIABLE + " names " + location + ", which is not there or cannot be read",
                        "mount the file, owned by the service's user, or take its name out"))
                .toList();
    }

    /// The variables of an environment, and what its files set besides, under the names that variables would have.
    static Map<String, String> joined(Map<String, String> environment) {
        var all = new HashMap<String, String>();
        // As for the service: the first of two files, and a variable before any.
        for (var location : locations(environment).reversed()) {
            read(location)
                    .ifPresent(file -> file.stringPropertyNames()
                            .forEach(name -> all.put(variable(name), file.getProperty(name))));
        }
        all.putAll(environment);
        return all;
    }

    private static List<String> locations(Map<String, String> environment) {
        return Arrays.stream(environment.getOrDefault(VARIABLE, "").split(","))
                .map(String::strip)
                .filter(location -> !location.isEmpty())
                .toList();
    }

    private static Optional<Properties> read(String location) {
        try (var reader = Files.newBufferedReader(
                location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location))) {
            var file = new Properties();
            file.load(reader);
            return Optional.of(file);
        } catch (IOException | IllegalArgumentException no) {
            return Optional.empty();
        }
    }

    private static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
