package dev.counterpoint.worker.engine.simulated;

/// A function the prompt declares, by its bare name.
record DeclaredTool(String name, String description, Shape.Fields parameters) {}
