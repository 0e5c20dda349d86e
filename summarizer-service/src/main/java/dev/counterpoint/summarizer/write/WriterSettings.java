package dev.counterpoint.summarizer.write;

import java.time.Duration;

/// How parts are written in this deployment.
///
/// @param partTimeout time for a part, from the moment when it is due until it is judged
/// @param model that writes; empty for the one whose reasoning is summed up
/// @param policyModel that judges
/// @param policy its instructions
public record WriterSettings(Duration partTimeout, String model, String policyModel, String policy) {}
