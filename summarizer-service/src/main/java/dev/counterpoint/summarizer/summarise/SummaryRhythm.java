package dev.counterpoint.summarizer.summarise;

import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.Thought;
import org.jspecify.annotations.Nullable;

/// Decides after which thoughts of a reasoning message a part of the summary is due, and what it tells:
///
/// * the first clear thought, or after a second of unclear ones what there is;
/// * a change of activity, subject or tool, once enough was reasoned since the last part, by characters or by time;
/// * after a longer time without a part, the latest change, else that the model goes on with the same;
/// * at the end of the message, a change that was not told.
///
/// The distances grow with the parts of the message, so that parts are spread over all of it and their number is
/// bounded. Pure: time is what the log says, so whoever reads the log decides alike. Not thread-safe.
final class SummaryRhythm {
    private static final long NEVER = Long.MIN_VALUE;
    private static final long UNCLEAR_MAX_MILLIS = 1_000;
    /// After so many parts the distance between two has doubled.
    private static final int DOUBLED_AFTER = 8;
    /// At the end of a message a change is told after this part of the usual distance.
    private static final int SOONER_AT_THE_END = 4;

    private final Detail detail;
    /// What the last part told; also of an earlier message.
    private @Nullable Description told;
    private Message message = new Message();

    /// What is known of the open message.
    private static final class Message {
        private int parts;
        /// When the first thought was complete.
        private long begunMillis = NEVER;

        private long nowMillis = NEVER;
        /// Characters up to the end of the last thought.
        private long reasoned;
        private long reasonedWhenTold;
        private long millisWhenTold;
        /// The latest thoughts since the last part: a clear one that tells something new, a clear one that does not,
        /// and an unclear one.
        private @Nullable Description changed;

        private @Nullable Description unchanged;
        private @Nullable Description unclear;
    }

    SummaryRhythm(Detail detail) {
        this.detail = detail;
    }

    /// A thought is complete.
    ///
    /// @param atMillis when the log took the frame that completes it
    /// @return what is to be told now, or null
    @Nullable
    Description accept(Thought thought, long atMillis) {
        message.reasoned = thought.endOffset();
        note(thought.description());
        tick(atMillis);
        if (message.begunMillis == NEVER) {
            message.begunMillis = message.nowMillis;
        }
        return due();
    }

    /// Time went by.
    ///
    /// @param atMillis when the log took the latest frame
    /// @return what is to be told now, or null
    @Nullable
    Description accept(long atMillis) {
        tick(atMillis);
        return due();
    }

    /// A new leader's clock may be behind that of the one before.
    private void tick(long atMillis) {
        message.nowMillis = Math.max(message.nowMillis, atMillis);
    }

    private @Nullable Description due() {
        return message.parts == 0 ? first() : next();
    }

    /// The message is over; the next thought begins another.
    ///
    /// @return what is to be told of it at last, or null
    @Nullable
    Description endMessage() {
        boolean farEnough = sinceTold() >= grown(detail.characters) / SOONER_AT_THE_END;
        var last = message.parts == 0 ? latest() : farEnough ? message.changed : null;
        var told = tell(last);
        message = new Message();
        return told;
    }

    private void note(Description description) {
        if (description.vague()) {
            message.unclear = description;
        } else if (told != null && told.sameTopic(description)) {
            message.unchanged = description;
        } else {
            message.changed = description;
        }
    }

    private @Nullable Description first() {
        if (message.begunMillis == NEVER) {
            return null;
        }
        boolean clear = message.changed != null || message.unchanged != null;
        boolean waited =
                message.nowMillis - message.begunMillis >= UNCLEAR_MAX_MILLIS || message.reasoned >= detail.characters;
        return clear || waited ? tell(latest()) : null;
    }

    private @Nullable Description next() {
        long millis = message.nowMillis - message.millisWhenTold;
        if (message.changed != null
                && (sinceTold() >= grown(detail.characters) || millis >= grown(detail.pauseMillis))) {
            return tell(message.changed);
        }
        return millis >= detail.beatMillis ? tell(latest()) : null;
    }

    /// Prefers what is new, then what is clear. An unclear thought is told unless the part before said as little.
    private @Nullable Description latest() {
        if (message.changed != null) {
            return message.changed;
        }
        if (message.unchanged != null) {
            return message.unchanged;
        }
        var unclear = message.unclear;
        return unclear != null && (told == null || message.parts == 0 || !told.sameTopic(unclear)) ? unclear : null;
    }

    private long sinceTold() {
        return message.reasoned - message.reasonedWhenTold;
    }

    private long grown(int distance) {
        return (long) distance * (DOUBLED_AFTER + message.parts) / DOUBLED_AFTER;
    }

    private @Nullable Description tell(@Nullable Description description) {
        if (description == null || message.parts >= detail.partsMax) {
            return null;
        }
        told = description;
        message.parts++;
        message.reasonedWhenTold = message.reasoned;
        message.millisWhenTold = message.nowMillis;
        message.changed = null;
        message.unchanged = null;
        message.unclear = null;
        return description;
    }
}
