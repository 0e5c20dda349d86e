package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.TestSubmissions.ECHO;
import static dev.counterpoint.gateway.log.owner.TestSubmissions.JOB;
import static dev.counterpoint.gateway.log.owner.TestSubmissions.submission;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.job.SuspectReport.Finding;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Submissions on their way to the bus, and what is left of those that do not get there.
class BusGenerationsTest extends HandTurnedGenerations {
    @Test
    void frameZeroGoesFirstAndTheTicketSaysWhoseItIs() {
        // When
        start(submission(false), EVERYTHING);
        // Then
        assertThat(bus.frames()).extracting(Frame::kind).containsExactly(FrameKind.ACCEPTED);
        assertThat(bus.tickets())
                .extracting(
                        JobTicket::response,
                        JobTicket::attempt,
                        JobTicket::tenant,
                        JobTicket::rawReaders,
                        JobTicket::deadlineMillis)
                .containsExactly(tuple(
                        RESPONSE,
                        1,
                        TENANT,
                        Set.of(),
                        RESPONSE.acceptedAtMillis()
                                + TestStreamSettings.defaults().deadline().toMillis()));
    }

    @Test
    void theStoryOfAResponseIsKeptOnceItHasEnded() {
        // Given
        start(submission(false), EVERYTHING);
        var worker = new WorkerVoice(1, 0xA);
        readBack();
        append(worker.fence(RINGS.worker()));
        append(worker.says(0, "secret"));
        turn();
        assertThat(stories).isEmpty();
        // When
        append(worker.ends(new End(End.Finish.STOP, 1, 0, 2, 0, 0)));
        append(worker.ends(new End(End.Finish.STOP, 1, 0, 2, 0, 0)));
        turn();
        // Then
        assertThat(stories).singleElement().satisfies(kept -> {
            assertThat(kept.response()).isEqualTo(RESPONSE.toString());
            assertThat(kept.tenant()).isEqualTo(TENANT);
            assertThat(kept.json().get()).contains("\"ending\":\"stop\"").doesNotContain("secret");
        });
    }

    @Test
    void c1AKeyWhoseJobsCrashedTwoWorkersIsRefusedByName() {
        // Given
        long now = System.currentTimeMillis();
        for (int number = 1; number <= 2; number++) {
            quarantine.take(
                    new SuspectReport(
                            new ResponseId(1_000, 3, 1, number),
                            "key-1",
                            TENANT,
                            MODEL,
                            2,
                            now,
                            Finding.WORKER_DIED,
                            true,
                            "worker-" + number),
                    now);
        }
        // When
        assertThatThrownBy(() -> generations().newResponse(TENANT, "key-1"))
                // Then
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    var problem = (Problem) refusal.problem();
                    assertThat(problem.status()).isEqualTo(429);
                    assertThat(problem.code()).isEqualTo("key_crashed_workers");
                    assertThat(problem.headers()).containsEntry("Retry-After", "600");
                });
    }

    @Test
    void nobodyButWorkersReadsTheJobAndNobodyButGatewaysTheEcho() {
        // When
        start(submission(false), EVERYTHING);
        // Then
        var accepted = Accepted.decode(bus.frames().getFirst().body());
        var context = Accepted.jobContext(TENANT, RESPONSE);
        assertThat(GenerationJob.decode(RINGS.worker().open(accepted.sealed().job(), context)))
                .isEqualTo(JOB);
        assertThat(RINGS.gateway().open(accepted.sealed().echo(), Submission.echoContext(RESPONSE)))
                .isEqualTo(ECHO);
        assertThatThrownBy(() -> RINGS.gateway().open(accepted.sealed().job(), context))
                .isNotNull();
    }

    @Test
    void whereAllReadTheSecondFormatFrameZeroAndTheTicketNameIt() {
        // Given
        frameFormat = 2;
        // When
        start(submission(false), EVERYTHING);
        // Then
        var first = bus.frames().getFirst();
        var accepted = Accepted.decode(first.body());
        assertThat(first.format()).isEqualTo(2);
        assertThat(accepted.format()).isEqualTo(2);
        assertThat(bus.tickets()).extracting(JobTicket::format).containsExactly(2);
        var job = RINGS.worker().open(accepted.sealed().job(), Accepted.jobContext(TENANT, RESPONSE));
        assertThat(GenerationJob.decode(job)).isEqualTo(JOB);
    }

    @Test
    void theLogSaysWhichGatewayTheClientWaitsAt() {
        // When
        start(submission(false), EVERYTHING);
        // Then
        assertThat(Accepted.decode(bus.frames().getFirst().body()).gateway()).isEqualTo(GATEWAY);
    }

    @Test
    void rawReadersAreWhoTheSubmissionEntitles() {
        // When
        start(TestSubmissions.withRaw(new AuditTerms("optin_1", "someone", "")), EVERYTHING);
        // Then
        assertThat(bus.tickets().getFirst().rawReaders())
                .containsExactlyInAnyOrder(ServiceRole.GATEWAY, ServiceRole.AUDIT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aModelIsAskedForASummaryWhereItMayWriteOne(boolean written) {
        // Given
        var detail = SummaryJob.Detail.CONCISE;
        // When
        start(TestSubmissions.summarised(detail, written), EVERYTHING);
        // Then
        var sealed = Accepted.decode(bus.frames().getFirst().body()).sealed().summaryJob();
        var context = Accepted.summaryContext(TENANT, RESPONSE);
        assertThat(SummaryJob.decode(TestKeys.of(ServiceRole.SUMMARIZER).open(sealed, context)))
                .isEqualTo(SummaryJob.of(detail, written ? SummaryTier.WRITTEN : SummaryTier.UNNAMED, JOB));
    }

    @ParameterizedTest
    @EnumSource
    void theLogKnowsTheBand(Topic.Band band) {
        // When
        start(submission(false, new PromptItem.User("hello"), band), EVERYTHING);
        // Then
        assertThat(Accepted.decode(bus.frames().getFirst().body()).band()).isEqualTo(band);
    }

    @Test
    void theOutputsComeToTheGeneration() throws InterruptedException {
        // Given
        var generation = start(submission(false), EVERYTHING);
        var end = new End(End.Finish.STOP, 1, 0, 1, 0, 0);
        var anna = new WorkerVoice(1, 0xA);
        // When
        readBack();
        append(anna.fence(RINGS.worker()));
        append(anna.ends(end));
        turn();
        // Then
        assertThat(generation.next(0)).isEqualTo(new ModelOutput.Finished(end));

        // When
        generation.settle();
        turn();
        // Then
        assertThat(loop.resumeOffsets()).containsEntry(FRAMES.partition(), 3L);
    }

    @Test
    void whatTheBusDoesNotAcceptIsRefusedAndForgotten() {
        // When
        assertThatThrownBy(() -> start(submission(false), Predicate.isEqual(FrameKind.OWNER_END.name())))
                .isInstanceOf(BackendUnavailableException.class);
        // Then
        assertThat(loop.awaited()).isZero();
        assertThat(bus.tickets()).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.NOT_QUEUED);
    }

    @Test
    void whatIsAcceptedAndNotQueuedIsQueuedWhenTheBusIsBack() {
        // Given
        start(submission(false), Predicate.not(Predicate.isEqual("ticket")));
        readBack();
        turn();
        assertThat(bus.tickets()).isEmpty();
        // When
        takes = EVERYTHING;
        inboxBeats();
        // Then
        assertThat(bus.tickets()).hasSize(1);
        assertThat(bus.ends()).isEmpty();
    }

    @Test
    void whoIsGoneWhileItWaitsIsNeverQueued() {
        // Given
        var generation = start(submission(false), Predicate.not(Predicate.isEqual("ticket")));
        readBack();
        // When
        generation.abandon();
        turn();
        takes = EVERYTHING;
        inboxBeats();
        // Then
        assertThat(bus.tickets()).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void aPlaceIsFreeWhenTheLastOutputIsRead() throws InterruptedException {
        // Given
        var generation = start(submission(false), EVERYTHING);
        var anna = new WorkerVoice(1, 0xA);
        readBack();
        append(anna.fence(RINGS.worker()));
        append(anna.says(0, "hello"));
        append(anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        turn();
        // When
        generation.next(0);
        boolean before = admission.knows(RESPONSE);
        generation.next(0);
        // Then
        assertThat(before).isTrue();
        assertThat(admission.knows(RESPONSE)).isFalse();
    }

    @Test
    void aForegroundResponseWhoseReaderIsGoneIsCancelled() {
        // Given
        var generation = start(submission(false), EVERYTHING);
        readBack();
        // When
        generation.abandon();
        generation.abandon();
        turn();
        turn();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void aBackgroundResponseGoesOnWithoutItsReader() {
        // Given
        var generation = start(submission(true), EVERYTHING);
        readBack();
        // When
        generation.abandon();
        turn();
        // Then
        assertThat(bus.ends()).isEmpty();
    }

    @Test
    void abandoningWhatHasEndedSaysNothingMore() {
        // Given
        var generation = start(submission(false), EVERYTHING);
        var anna = new WorkerVoice(1, 0xA);
        readBack();
        append(anna.fence(RINGS.worker()));
        append(anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        turn();
        // When
        generation.abandon();
        turn();
        // Then
        assertThat(bus.ends()).isEmpty();
        assertThat(bus.controls()).isEmpty();
    }

    @Test
    void whatDoesNotFitIntoOneMessageIsRefusedBeforeAnythingIsSent() {
        // Given
        var prompt = new PromptItem.User("x".repeat(Topic.MESSAGE_BYTES_MAX));
        // Then
        assertThatThrownBy(() -> start(submission(false, prompt), EVERYTHING))
                .isInstanceOf(Generations.TooLargeException.class);
        assertThat(bus.producer.history()).isEmpty();
        assertThat(loop.awaited()).isZero();
    }
}
