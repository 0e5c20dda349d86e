package dev.counterpoint.local;

import dev.counterpoint.infra.FreePort;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The ports of everything but the gateways: free ones, kept from start to start so that addresses stay the same.
final class Ports {
    private final Path file;
    private final Map<String, String> known = new TreeMap<>();
    /// In this run; by now their own processes may listen there.
    private final Map<String, Integer> decided = new HashMap<>();

    Ports(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                var properties = new Properties();
                properties.load(reader);
                properties.stringPropertyNames().forEach(name -> known.put(name, properties.getProperty(name)));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// The port that `name` had last time if nobody took it meanwhile, else a new one.
    int of(String name) {
        return decided.computeIfAbsent(name, this::decide);
    }

    /// The port that `name` was given last, whoever listens there now.
    OptionalInt kept(String name) {
        var last = known.get(name);
        return last == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(last));
    }

    private int decide(String name) {
        String last = known.getOrDefault(name, "");
        if (last.matches("[0-9]{1,5}") && FreePort.claim(Integer.parseInt(last))) {
            return Integer.parseInt(last);
        }
        int port = newPort();
        known.put(name, String.valueOf(port));
        StateFolder.write(
                file, known.entrySet().stream().map(entry -> entry + "\n").collect(Collectors.joining()));
        return port;
    }

    private int newPort() {
        int port = FreePort.find();
        while (known.containsValue(String.valueOf(port))) {
            port = FreePort.find();
        }
        return port;
    }
}
