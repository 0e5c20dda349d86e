package dev.counterpoint.testkit.judged;

import dev.counterpoint.openai.judge.Complaint;
import dev.counterpoint.openai.judge.JudgeOptions;
import dev.counterpoint.openai.judge.StreamJudge;
import dev.counterpoint.testkit.StreamWitness;
import java.util.List;

/// Judges what an [dev.counterpoint.testkit.SseReader] reads, as it reads it.
public final class JudgingWitness implements StreamWitness {
    @Override
    public Hearing hear() {
        return new Judged(new StreamJudge(JudgeOptions.DEFAULT));
    }

    private static final class Judged implements Hearing {
        private final StreamJudge judge;
        private int told;

        Judged(StreamJudge judge) {
            this.judge = judge;
        }

        @Override
        public void bytes(byte[] bytes, int from, int length) {
            judge.accept(bytes, from, length);
            tell(judge.complaints());
        }

        @Override
        public void end() {
            tell(judge.end());
        }

        private void tell(List<Complaint> all) {
            var fresh = all.subList(told, all.size());
            told = all.size();
            JudgedStreams.report(fresh);
        }
    }
}
