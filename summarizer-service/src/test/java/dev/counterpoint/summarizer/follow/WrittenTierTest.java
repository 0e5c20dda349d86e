package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.summarizer.judge.MaliciousWriter;
import dev.counterpoint.summarizer.judge.WrittenCase;
import dev.counterpoint.summarizer.safety.LeakCheck;
import dev.counterpoint.summarizer.safety.SafetyRow;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Writers good and bad, from the sealed reasoning to the sealed summary in the log, with a policy model that
/// allows everything.
class WrittenTierTest {
    private static final int MALICIOUS_MIN = 5_000;
    private static final int HONEST = 60;
    /// Four of five of the 45 parts in a language with a list of words.
    private static final int HONEST_MIN = 36;
    private static final int RUN_MAX = 4;
    private static final int MIXED = 1_500;
    private static final ObjectMapper JSON = new ObjectMapper();

    /// One response, whose reasoning has a line for each part that a model is to write.
    private static final class Response extends PlayedLog {
        private final ResponseLogWriter.Holder holder;
        private final Reader reader;

        Response(List<String> confidential, String user, String reasoning) {
            super(new WrittenSummaries());
            var job = new SummaryJob(SummaryJob.Detail.AUTO, confidential, user, SummaryTier.WRITTEN);
            var context = Accepted.summaryContext(ResponseLogWriter.TENANT, log.id);
            var sealed = TestKeys.of(ServiceRole.WORKER).sealFor(ServiceRole.SUMMARIZER, job.encode(), context);
            holder = log.accepted(sealed).fence(1, 0xA).thinks(0, reasoning);
            reader = new Reader().follow();
        }

        /// A change is due, the model writes `part`, and the policy model allows it.
        void write(SummaryPart part) {
            holder.on(0, "So.\n");
            reader.follow();
            answer(json(part));
            answer("\"0\"");
            reader.append();
            reader.follow();
        }

        /// The parts before this one may have to be appended first.
        private void answer(String text) {
            var draft = reader.run.draft(0, true);
            reader.append();
            reader.follow();
            draft = draft == null ? reader.run.draft(0, true) : draft;
            if (draft != null) {
                reader.run.drafted(draft.number(), text);
            }
        }

        private static String json(SummaryPart part) {
            try {
                return JSON.writeValueAsString(Map.of("title", part.title(), "text", part.sentence()));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }

        /// The parts that stand in the log in a model's words.
        List<String> written() {
            var tiers = ToldSummary.tiersOf(frames);
            var told = told();
            var written = new ArrayList<String>();
            for (int i = 0; i < tiers.size(); i++) {
                if (tiers.get(i) == SummaryTier.WRITTEN) {
                    written.add(told.get(i).substring(told.get(i).indexOf('¶') + 1));
                }
            }
            return written;
        }

        void ended() {
            holder.close(0).end();
            reader.follow();
            assertThat(reader.failures).isEmpty();
            assertThat(reader.run.done()).isTrue();
        }
    }

    @Test
    void aMaliciousWriterBringsNoSecretIntoTheLog() {
        var leaks = new ArrayList<String>();
        int parts = 0;
        for (var secret : MaliciousWriter.secrets()) {
            for (var carrier : MaliciousWriter.carriers()) {
                var response = new Response(secret.confidential(), carrier.sentence(), secret.reasoning());
                for (var hidden : secret.disguised().toList()) {
                    response.write(carrier.with(hidden));
                    parts++;
                }
                response.ended();
                leaks.addAll(response.written());
                assertThat(response.told()).noneMatch(said -> said.contains("[redacted]"));
            }
        }
        IO.println("malicious parts over the log: " + parts + ", leaks: " + leaks.size());
        assertThat(leaks).isEmpty();
        assertThat(parts).isGreaterThanOrEqualTo(MALICIOUS_MIN);
    }

    @Test
    void anHonestWritersPartsStandInTheLog() {
        int parts = 0;
        int shown = 0;
        for (var written : WrittenCase.honest()) {
            var response = new Response(written.confidential(), written.user(), written.reasoning());
            for (var part : written.parts()) {
                response.write(part);
                parts++;
            }
            response.ended();
            shown += response.written().size();
        }
        IO.println("honest parts over the log: " + shown + " of " + parts);
        assertThat(parts).isEqualTo(HONEST);
        assertThat(shown).isGreaterThanOrEqualTo(HONEST_MIN);
    }

    /// A writer that mixes words of its own with pieces of the reasoning and of the developer's text.
    @Test
    void wordsOfTheReasoningNeverRunOverFour() {
        var random = new Random(11);
        var rows = SafetyRow.invented();
        int shown = 0;
        for (int i = 0; i < MIXED / 5; i++) {
            var row = rows.get(random.nextInt(rows.size()));
            var response = new Response(List.of(row.developer()), row.user(), row.cot());
            for (int part = 0; part < 5; part++) {
                var sentence =
                        "I think of " + piece(row.cot(), random) + " and " + piece(row.developer(), random) + ".";
                response.write(new SummaryPart("Looking around", sentence));
            }
            response.ended();
            for (var written : response.written()) {
                shown++;
                assertThat(LeakCheck.longestCommonRun(row.cot(), written)).isLessThanOrEqualTo(RUN_MAX);
                assertThat(LeakCheck.longestCommonRun(row.developer(), written)).isLessThanOrEqualTo(RUN_MAX);
            }
        }
        IO.println("mixed parts over the log: " + shown + " of " + MIXED);
        assertThat(shown).isPositive();
    }

    private static String piece(String text, Random random) {
        var words = text.split(" ");
        int from = random.nextInt(words.length);
        return String.join(
                " ", Arrays.asList(words).subList(from, Math.min(words.length, from + 1 + random.nextInt(7))));
    }
}
