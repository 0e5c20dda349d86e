package dev.counterpoint.servicekit;

import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Names files of `quarkus.config.locations` that cannot be read, which the framework passes over in silence.
@Startup(1)
@ApplicationScoped
public class SettingsFiles implements MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsFiles.class);

    private final List<String> locations;

    SettingsFiles(@ConfigProperty(name = "quarkus.config.locations") Optional<List<String>> locations) {
        this.locations = locations.orElse(List.of());
    }

    @PostConstruct
    void tell() {
        misconfigurations().forEach(each -> LOG.error("misconfigured code={} text=\"{}\"", each.code(), each.text()));
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        return locations.stream()
                .map(String::strip)
                .filter(location -> !location.isEmpty() && !Files.isReadable(path(location)))
                .map(location -> new Misconfiguration(
                        "settings-file-unreadable",
                        "quarkus.config.locations names " + location + ", which this service cannot read; mount the"
                                + " file, owned by the service's user"))
                .toList();
    }

    private static Path path(String location) {
        return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
    }
}
