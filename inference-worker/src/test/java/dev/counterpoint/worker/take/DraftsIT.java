package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.worker.draft.DraftTasks;
import io.micrometer.core.instrument.Meter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers that write drafts between a real broker and the simulated engine, and a summarizer's side of the
/// bus.
class DraftsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SLOTS = 4;

    @TempDir
    Path keysDir;

    private TestWorkers workers;
    private KeyRing summarizer;
    private KafkaProducer<String, byte[]> producer;
    private KafkaConsumer<String, byte[]> answers;
    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry.getLoggerName() + " " + entry.getMessage() + " "
                    + (entry.getParameters() == null ? "" : List.of(entry.getParameters())) + " " + entry.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void start() throws Exception {
        workers = new TestWorkers(keysDir);
        summarizer = KeyRing.load(keysDir, ServiceRole.SUMMARIZER);
        producer = workers.clients.promptProducer();
        answers = workers.clients.tailReader();
        var partition = new TopicPartition(Topic.DRAFT_ANSWERS, 0);
        answers.assign(List.of(partition));
        answers.seekToEnd(List.of(partition));
        answers.position(partition);
        Logger.getLogger("").addHandler(recorder);
    }

    @AfterEach
    void stop() throws Exception {
        Logger.getLogger("").removeHandler(recorder);
        workers.stop();
        answers.close();
        producer.close();
    }

    @Test
    void aDraftIsWrittenInItsFormAndNothingOfItShows() throws Exception {
        // Given
        worker(Duration.ofMillis(1));
        // When
        var writing = asked(DraftTasks.WRITING);
        var text = answer(writing).open(writing, summarizer);
        var judging = asked(DraftTasks.JUDGING);
        // Then
        assertThat(text).isEqualTo(DraftTasks.ANSWER);
        assertThat(answer(judging).open(judging, summarizer)).isIn("\"0\"", "\"1\"");
        assertThat(workers.registry.get("counterpoint.worker.tokens").counter().count())
                .as("tokens of jobs")
                .isZero();
        assertThat(workers.registry.getMeters())
                .extracting(Meter::getId)
                .extracting(Object::toString)
                .noneMatch(id -> id.contains("loaves") || id.contains("Write a title"));
        assertThat(logged).isNotEmpty();
        assertThat(logged.toString()).doesNotContain("loaves", "Write a title");
    }

    @Test
    void aDraftIsTurnedAwayWhileSlotsAreScarce() throws Exception {
        // Given jobs that hold all slots but those that are kept from drafts
        var worker = worker(Duration.ofMillis(20));
        var jobs = new ArrayList<JobTicket>();
        for (int i = 0; i < SLOTS - 1; i++) {
            var job = workers.gateway.accept("Count from 1 to 4000.");
            workers.gateway.queue(job);
            workers.gateway.read(job, frame -> frame.kind() == FrameKind.DELTA);
            jobs.add(job);
        }
        // When
        var request = asked(DraftTasks.WRITING);
        // Then
        assertThat(answer(request).outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("turned_away")).isOne();

        // When
        for (var job : jobs) {
            workers.gateway.stop(job);
        }
        assertThat(worker.becomesIdle(PATIENCE)).isTrue();
        // Then
        assertThat(answer(asked(DraftTasks.WRITING)).outcome()).isEqualTo(DraftAnswer.Outcome.WRITTEN);
    }

    @Test
    void aWorkerThatStopsAnswersItsDraftWithoutAText() throws Exception {
        // Given a worker in the midst of a draft
        var first = workers.start(
                new SimulatedEngine(
                        options(Duration.ofMillis(1)).withFaults(new SimulatedOptions.Faults(6, null, null))),
                Map.of("worker.engine-silence", "1m", "worker.drafts.at-once", "1"),
                () -> {});
        var request = asked(DraftTasks.WRITING);
        awaitRunning();
        // When
        first.stop();
        workers.forget(first);
        // Then
        assertThat(answer(request).outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
    }

    @Test
    void forgedRequestsAreNotRun() throws Exception {
        // Given
        worker(Duration.ofMillis(1));
        var genuine = request(DraftTasks.WRITING);
        var moved = new DraftRequest(
                DraftId.create(),
                ResponseId.create(1, 1),
                genuine.model(),
                genuine.deadlineMillis(),
                genuine.sealedTask());
        // When
        for (var role : List.of(ServiceRole.GATEWAY, ServiceRole.WORKER)) {
            append(genuine, genuine.signed(KeyRing.load(keysDir, role)));
        }
        append(genuine, genuine.encode());
        append(moved, moved.signed(summarizer));
        // Then the first answer is the one to the task that does not open
        assertThat(answer(moved).outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(counted("forged")).isEqualTo(3);
        assertThat(counted("written")).isZero();
    }

    @Test
    void theStandInWritesNoDraftsUnlessToldTo() throws Exception {
        // Given
        workers.start(options(Duration.ofMillis(1)));
        // When
        var request = asked(DraftTasks.WRITING);
        // Then
        assertThat(answer(request).outcome()).isEqualTo(DraftAnswer.Outcome.FAILED);
        assertThat(abilities()).isNotEmpty().doesNotContain(DraftRequest.ABILITY);
    }

    @Test
    void aWorkerThatWritesDraftsSaysSo() throws Exception {
        worker(Duration.ofMillis(1));

        assertThat(abilities()).contains(DraftRequest.ABILITY);
    }

    /// As the first heartbeat of the model's worker names them.
    private List<String> abilities() {
        var beats = new TopicPartition(Topic.MODELS, 0);
        try (var consumer = workers.clients.reader()) {
            consumer.assign(List.of(beats));
            consumer.seekToBeginning(List.of(beats));
            long until = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < until) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    var model = record.value() == null
                            ? null
                            : Heartbeat.decode(record.value()).model();
                    if (model != null && model.name().equals(workers.model)) {
                        return model.abilities();
                    }
                }
            }
        }
        throw new AssertionError("no heartbeat");
    }

    private SimulatedOptions options(Duration perToken) {
        return workers.options(perToken).withSlots(SLOTS);
    }

    private Worker worker(Duration perToken) {
        return workers.start(new SimulatedEngine(options(perToken)), Map.of("worker.drafts.at-once", "1"), () -> {});
    }

    private DraftRequest request(DraftTask task) {
        long deadline = System.currentTimeMillis() + Duration.ofMinutes(2).toMillis();
        return DraftRequest.seal(ResponseId.create(1, 1), workers.model, deadline, task, summarizer);
    }

    private DraftRequest asked(DraftTask task) throws Exception {
        var request = request(task);
        producer.send(request.record(0, summarizer)).get();
        return request;
    }

    private void append(DraftRequest request, byte[] value) throws Exception {
        var record = request.record(0, summarizer);
        producer.send(new ProducerRecord<>(record.topic(), 0, record.key(), value))
                .get();
    }

    private DraftAnswer answer(DraftRequest request) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            for (var record : answers.poll(Duration.ofMillis(200))) {
                // Other tests have keys of their own.
                if (request.id().toString().equals(record.key())) {
                    return DraftAnswer.verified(record.value(), summarizer);
                }
            }
        }
        throw new AssertionError("no answer");
    }

    private void awaitRunning() throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (workers.registry.find("counterpoint.worker.running").gauge() == null
                || workers.registry.get("counterpoint.worker.running").gauge().value() < 1) {
            assertThat(System.nanoTime()).isLessThan(until);
            Thread.sleep(20);
        }
    }

    private double counted(String outcome) {
        return workers.registry
                .get("counterpoint.worker.drafts")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
