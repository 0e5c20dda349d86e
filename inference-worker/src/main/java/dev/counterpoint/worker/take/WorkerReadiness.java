package dev.counterpoint.worker.take;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.servicekit.Misconfiguration;
import dev.counterpoint.servicekit.MisconfigurationSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once jobs are taken.
@Readiness
@ApplicationScoped
public class WorkerReadiness implements HealthCheck, MisconfigurationSource {
    private final Worker worker;
    private final Engine engine;

    @Inject
    WorkerReadiness(Worker worker, Engine engine) {
        this.worker = worker;
        this.engine = engine;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("takes jobs")
                .withData("examines engine", engine.notices().stream().anyMatch(WorkerReadiness::isExamination))
                .status(worker.ready())
                .build();
    }

    private static boolean isExamination(EngineNotice notice) {
        return notice.code() == EngineNotice.Code.BEING_EXAMINED;
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        var ofEngine = ofEngine(engine.notices()).stream();
        var ofBus = worker.ofBus().stream().flatMap(source -> source.misconfigurations().stream());
        return Stream.concat(ofEngine, ofBus).toList();
    }

    static List<Misconfiguration> ofEngine(List<EngineNotice> notices) {
        return notices.stream()
                .filter(notice -> !isExamination(notice))
                .map(notice -> new Misconfiguration(notice.code().wireName(), notice.text()))
                .toList();
    }
}
