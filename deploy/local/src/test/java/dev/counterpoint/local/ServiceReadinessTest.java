package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceReadinessTest {
    private static final String BODY = """
            {"status": "DOWN", "checks": [
              {"name": "takes jobs", "status": "DOWN", "data": {"examines engine": true}},
              {"name": "bus", "status": "UP", "data": {"bus answers": true}},
              {"name": "configuration", "status": "UP", "data": {
                 "engine-unfit": "http://a \\"wants\\" a key", "bus-password": "refused"}}]}""";

    @Test
    void readsCodesAndTheStateOfTheEngine() {
        assertThat(ServiceReadiness.parse(BODY))
                .contains(new ServiceReadiness(
                        Map.of("engine-unfit", "http://a \"wants\" a key", "bus-password", "refused"), true));
    }

    @Test
    void aServiceThatHasNothingToReportReportsNothing() {
        var well = ServiceReadiness.parse("{\"status\":\"UP\",\"checks\":[{\"name\":\"configuration\"}]}");

        assertThat(well).contains(new ServiceReadiness(Map.of(), false));
        assertThat(ServiceReadiness.text(Map.of("worker-1", well.orElseThrow())))
                .isEmpty();
        assertThat(ServiceReadiness.parse("<html>")).isEmpty();
    }

    @Test
    void theEndOfAStartHasALineForEachMisconfiguration() {
        var worker = ServiceReadiness.parse(BODY).orElseThrow();

        assertThat(ServiceReadiness.text(Map.of("worker-1", worker)))
                .contains("\n  worker-1  bus-password: refused\n  worker-1  engine-unfit: http://a \"wants\" a key\n")
                .contains("docs/operations.md#misconfigurations");
    }
}
