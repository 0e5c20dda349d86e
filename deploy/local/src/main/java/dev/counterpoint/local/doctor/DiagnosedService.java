package dev.counterpoint.local.doctor;

import dev.counterpoint.bus.ServiceRole;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A service as its environment sets it up, and the files that this names.
///
/// @param environment its variables, as `KAFKA_BOOTSTRAP_SERVERS`; never shown
public record DiagnosedService(ServiceRole role, Map<String, String> environment) {
    public DiagnosedService {
        environment = Map.copyOf(SettingsFiles.joined(environment));
    }

    String name() {
        return role.wireName();
    }

    Optional<String> setting(String variable) {
        return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isBlank());
    }

    Path keys() {
        return Path.of(setting("COUNTERPOINT_KEYS_DIR").orElse("keys"));
    }

    String bus() {
        return setting("KAFKA_BOOTSTRAP_SERVERS").orElse("localhost:9092");
    }

    /// An address as it may be shown: without the password that may stand in it.
    static String shown(String url) {
        return url.replaceFirst("//[^/?#]*@", "//").replaceFirst("[?#].*", "");
    }

    @Override
    public String toString() {
        return name();
    }
}
