package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;

/// What a broker says that a group is set to. It may say so a moment after it took the settings.
public final class GroupSettings {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private GroupSettings() {}

    /// Asks again until all of them are as wanted.
    public static void assertShown(Admin admin, String group, Map<String, String> wanted) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        var shown = shown(admin, group, wanted);
        while (!shown.equals(wanted) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(100);
            shown = shown(admin, group, wanted);
        }
        assertThat(shown).isEqualTo(wanted);
    }

    private static Map<String, String> shown(Admin admin, String group, Map<String, String> wanted)
            throws ExecutionException, InterruptedException {
        var resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        var settings = Objects.requireNonNull(
                admin.describeConfigs(List.of(resource)).all().get().get(resource));
        return wanted.keySet().stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> Objects.requireNonNullElse(settings.get(name).value(), "")));
    }
}
