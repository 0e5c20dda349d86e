package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.Frame;

/// A frame as the log holds it, the same for every reader.
///
/// @param atMillis when the broker took it (`LogAppendTime`), in milliseconds since 1970
record LoggedFrame(Frame frame, long atMillis) {}
