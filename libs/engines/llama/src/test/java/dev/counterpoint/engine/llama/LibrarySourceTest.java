package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LibrarySourceTest {
    private static final Map<String, String> NOTHING = Map.of();

    @Test
    void takesTheNpmRegistryAndTheUsersCacheByDefault() {
        var source = LibrarySource.of(Optional.empty(), Map.of("user.home", "/home/ada")::get, NOTHING);

        assertThat(source.registry()).hasToString("https://registry.npmjs.org/");
        assertThat(source.cache()).isEqualTo(Path.of("/home/ada/.cache/counterpoint/llama"));
    }

    @Test
    void followsTheEnvironment() {
        var environment = Map.of("npm_config_registry", "https://mirror.example/npm", "XDG_CACHE_HOME", "/var/caches");

        var source = LibrarySource.of(Optional.empty(), NOTHING::get, environment);

        assertThat(source.registry()).hasToString("https://mirror.example/npm/");
        assertThat(source.cache()).isEqualTo(Path.of("/var/caches/counterpoint/llama"));
    }

    @Test
    void letsAPropertyWinOverTheEnvironment() {
        var properties = Map.of(
                LibrarySource.REGISTRY_PROPERTY, "https://one.example/", LibrarySource.CACHE_PROPERTY, "/one/cache");
        var environment =
                Map.of("COUNTERPOINT_LLAMA_REGISTRY", "https://two.example/", "COUNTERPOINT_LLAMA_CACHE", "/two/cache");

        var source = LibrarySource.of(Optional.empty(), properties::get, environment);

        assertThat(source.registry()).hasToString("https://one.example/");
        assertThat(source.cache()).isEqualTo(Path.of("/one/cache"));
    }

    @Test
    void forgetsThePasswordInAnAddress() {
        var environment = Map.of("npm_config_registry", "https://ada:secret@mirror.example/npm/@x/");

        var source = LibrarySource.of(Optional.empty(), NOTHING::get, environment);

        assertThat(source.registry()).hasToString("https://mirror.example/npm/@x/");
    }
}
