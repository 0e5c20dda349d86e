package dev.counterpoint.gateway.api.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.testkit.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageRoutesTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close();
    }

    @Test
    void thePagesOfOperatorsAreServedWhereTheSettingIsOn() {
        assertThat(paths("true")).contains("/", "/console");
    }

    @Test
    void thePagesOfOperatorsAreNotServedByDefault() {
        assertThat(paths("false")).contains("/").noneMatch(path -> path.contains("console"));
    }

    private Set<String> paths(String console) {
        var router = Router.router(vertx);
        new PageRoutes(TestConfig.of(GatewayConfig.class, Map.of("gateway.console", console))).register(router);
        return router.getRoutes().stream()
                .map(Route::getPath)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }
}
