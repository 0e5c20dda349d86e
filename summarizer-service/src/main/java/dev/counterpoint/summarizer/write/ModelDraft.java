package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;

/// The next draft to request from a model.
///
/// @param number of this draft among those of its response
/// @param model that is asked
/// @param withinMillis from now, after which nobody needs the answer
public record ModelDraft(int number, String model, DraftTask task, long withinMillis) {}
