package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The log of one response, and summarizers that read it and append to it.
class PlayedLog {
    final List<Frame> frames = new ArrayList<>();
    private final SentenceSource.Factory sentences;
    final ResponseLogWriter log = new ResponseLogWriter(ResponseId.create(1_000, 3), frames::add);

    PlayedLog() {
        this(_ -> new PlainSentences());
    }

    PlayedLog(SentenceSource.Factory sentences) {
        this.sentences = sentences;
    }

    /// When the log took a frame. Where a frame stands decides nothing: whoever wrote between two frames of a worker,
    /// these keep their times. Frames of others come from a broker whose clock is behind.
    private static LoggedFrame logged(Frame frame) {
        return new LoggedFrame(frame, 1_000_000L * frame.attempt() + 700L * frame.seq());
    }

    /// A summarizer with its place in the log.
    final class Reader {
        final SummaryRun run = new SummaryRun(
                Objects.requireNonNull(LogTrust.of(frames.getFirst(), TestKeys.of(ServiceRole.SUMMARIZER))),
                Accepted.decode(frames.getFirst().body()),
                TestKeys.of(ServiceRole.SUMMARIZER),
                sentences);
        final List<SummaryRun.Failure> failures = new ArrayList<>();
        private int position;

        Reader() {
            run.prepare();
        }

        /// Takes one frame.
        boolean read() {
            if (position == frames.size()) {
                return false;
            }
            var failure = run.accept(logged(frames.get(position++)));
            if (failure != null) {
                failures.add(failure);
            }
            return true;
        }

        /// Takes all that is there and appends nothing.
        Reader readAll() {
            while (read()) {}
            return this;
        }

        void append() {
            run.due().forEach(due -> frames.add(appended(due)));
        }

        /// Takes all that is there and appends what it says of each frame, its own included.
        Reader follow() {
            while (read()) {
                append();
            }
            return this;
        }
    }

    /// As the publisher appends it.
    static Frame appended(SummaryPositions.Due due) {
        var frame = due.frame();
        return frame.kind() == FrameKind.SUMMARY_END ? TestKeys.signed(frame) : frame;
    }

    List<Reader> playAtRandom(List<Frame> whole, Random random) {
        var readers = Stream.generate(Reader::new).limit(3).toList();
        int written = 1;
        while (written < whole.size() || !readers.stream().allMatch(reader -> reader.run.done())) {
            var reader = readers.get(random.nextInt(readers.size()));
            switch (random.nextInt(8)) {
                case 0, 1 -> written += write(whole, written);
                case 2 -> reader.append();
                case 3 -> loseSome(reader, random);
                default -> reader.read();
            }
        }
        return readers;
    }

    private int write(List<Frame> whole, int written) {
        if (written < whole.size()) {
            frames.add(whole.get(written));
            return 1;
        }
        return 0;
    }

    private void loseSome(Reader reader, Random random) {
        reader.run.due().forEach(due -> {
            if (random.nextBoolean()) {
                frames.add(appended(due));
            }
        });
        reader.run.again();
    }

    List<String> told() {
        return ToldSummary.of(frames);
    }

    List<Frame> summaryFrames() {
        return frames.stream().filter(frame -> frame.lane() == Lane.SUMMARY).toList();
    }

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }
}
