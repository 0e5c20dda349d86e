package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.summarizer.write.ModelDraft;
import org.jspecify.annotations.Nullable;

/// Asks models for drafts and brings their answers. Never waits.
interface DraftDesk {
    /// Where no model may write.
    DraftDesk NONE = new DraftDesk() {
        @Override
        public @Nullable DraftId ask(ResponseId response, ModelDraft draft) {
            return null;
        }

        @Override
        public @Nullable Draft next() {
            return null;
        }
    };

    /// What a model wrote.
    ///
    /// @param text null when nothing comes
    record Draft(DraftId id, @Nullable String text) {
        @Override
        public String toString() {
            return "Draft[" + id + "]";
        }
    }

    /// @return null when the model cannot be asked
    @Nullable
    DraftId ask(ResponseId response, ModelDraft draft);

    /// The next draft that this replica asked for; null when there is none now.
    @Nullable
    Draft next();
}
