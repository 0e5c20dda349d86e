package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.summarizer.write.ModelDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The log of one response, and summarizers that ask models.
class PlayedDrafts extends PlayedLog {
    /// No draft is waited for longer.
    static final long WAIT_MILLIS = 8_000;

    private static final int CRASHES_MAX = 3;

    PlayedDrafts(SentenceSource.Factory sentences) {
        super(sentences);
    }

    final List<String> described(List<Frame> whole) {
        frames.clear();
        frames.addAll(whole);
        new Reader().follow();
        return told();
    }

    /// Three summarizers whose drafts come, fail, come late or come twice; that lose frames, die and begin
    /// anew.
    final class Play {
        private final List<Frame> whole;
        private final Function<ModelDraft, String> model;
        private final Random random;
        final List<Reader> readers = new ArrayList<>();
        private final List<@Nullable ModelDraft> drafts = new ArrayList<>();
        final List<SummaryRun.Failure> failures = new ArrayList<>();
        private long now;
        private int length = 1;
        private int crashes;

        /// @param model answers drafts as it should
        Play(List<Frame> whole, Random random, Function<ModelDraft, String> model) {
            this.whole = whole;
            this.model = model;
            this.random = random;
            for (int i = 0; i < 3; i++) {
                readers.add(new Reader());
                drafts.add(null);
            }
        }

        void run() {
            while (length < whole.size() || !readers.stream().allMatch(reader -> reader.run.done())) {
                step(random.nextInt(readers.size()));
            }
        }

        private void step(int at) {
            var reader = readers.get(at);
            now += random.nextInt(50);
            switch (random.nextInt(24)) {
                case 0 -> write();
                case 2, 3, 4 -> reader.append();
                case 5 -> lose(reader);
                case 6, 7, 8 -> ask(at, reader);
                case 1, 9, 10, 11, 12 -> answer(at, reader);
                case 13 -> now += random.nextInt(6) == 0 ? WAIT_MILLIS : 0;
                case 14 -> crash(at, reader);
                default -> reader.read();
            }
        }

        private void write() {
            if (length < whole.size()) {
                frames.add(whole.get(length++));
            }
        }

        private void lose(Reader reader) {
            reader.run.due().forEach(due -> {
                if (random.nextBoolean()) {
                    frames.add(appended(due));
                }
            });
            reader.run.again();
        }

        private void ask(int at, Reader reader) {
            var draft = reader.run.draft(now, random.nextInt(10) > 0);
            if (draft != null) {
                drafts.set(at, draft);
            }
        }

        private void answer(int at, Reader reader) {
            var draft = drafts.get(at);
            if (draft == null) {
                return;
            }
            var text = switch (random.nextInt(8)) {
                case 0 -> null;
                case 1 -> "{";
                case 2 -> "\"1\"";
                default -> model.apply(draft);
            };
            reader.run.drafted(draft.number(), text);
            if (random.nextBoolean()) {
                reader.run.drafted(draft.number(), text);
            }
            ask(at, reader);
        }

        private void crash(int at, Reader reader) {
            if (random.nextInt(8) == 0 && crashes++ < CRASHES_MAX) {
                failures.addAll(reader.failures);
                readers.set(at, new Reader());
                drafts.set(at, null);
            }
        }
    }
}
