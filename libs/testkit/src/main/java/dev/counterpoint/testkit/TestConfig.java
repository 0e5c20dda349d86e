package dev.counterpoint.testkit;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/// The settings of a service as its config interface reads them, without the service. Values are converted as Quarkus
/// converts them, where it is there: durations as `5s`.
public final class TestConfig {
    private TestConfig() {}

    /// What the interface says where nothing is set but this; neither environment nor files are read.
    ///
    /// @param config interface with `@ConfigMapping`
    public static <T> T of(Class<T> config, Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(config)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(config);
    }

    /// The value of every setting where none is set, by the name of its method.
    public static Map<String, Object> defaults(Class<?> config) {
        var settings = of(config, Map.of());
        return Arrays.stream(config.getDeclaredMethods())
                .collect(Collectors.toMap(Method::getName, method -> value(method, settings)));
    }

    private static Object value(Method method, Object settings) {
        try {
            return method.invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
