package dev.counterpoint.summarizer.write;

import java.time.Duration;

/// How models choose descriptions in this deployment.
///
/// @param partTimeout time for a part, from the moment when it is due
/// @param model that chooses; empty for the one whose reasoning is summed up
public record DescriberSettings(Duration partTimeout, String model) {}
