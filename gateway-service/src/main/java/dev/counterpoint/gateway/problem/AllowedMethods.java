package dev.counterpoint.gateway.problem;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which methods a path has: a 405 must say so, and the framework keeps it to itself.
@ApplicationScoped
class AllowedMethods {
    private static final Pattern PARAMETER = Pattern.compile("\\{[^}]*}");

    private final List<Endpoint> endpoints;

    @Inject
    AllowedMethods(BeanManager beans) {
        this(beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .<Class<?>>map(bean -> bean.getBeanClass())
                .filter(type -> type.isAnnotationPresent(Path.class)));
    }

    AllowedMethods(Stream<Class<?>> resources) {
        endpoints = resources
                .distinct()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods())
                        .flatMap(method -> endpoint(type.getAnnotation(Path.class), method).stream()))
                .toList();
    }

    private record Endpoint(String method, Pattern path) {}

    /// Sorted; empty when the path is nobody's.
    List<String> of(String path) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.path.matcher(path).matches())
                .map(Endpoint::method)
                .distinct()
                .sorted()
                .toList();
    }

    private static Optional<Endpoint> endpoint(Path ofClass, Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(name -> name != null)
                .findFirst()
                .map(name -> new Endpoint(name.value(), pattern(ofClass, method.getAnnotation(Path.class))));
    }

    private static Pattern pattern(Path ofClass, @Nullable Path ofMethod) {
        var template = ofClass.value() + (ofMethod == null ? "" : "/" + ofMethod.value());
        var path = ("/" + template).replaceAll("/+", "/").replaceAll("/$", "");
        var literals = PARAMETER.split(path, -1);
        return Pattern.compile(
                Arrays.stream(literals).map(Pattern::quote).collect(java.util.stream.Collectors.joining("[^/]+"))
                        + "/?");
    }
}
