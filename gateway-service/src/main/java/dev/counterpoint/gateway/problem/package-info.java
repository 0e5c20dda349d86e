/// Every error of every endpoint, in the one shape that OpenAI clients read.
@NullMarked
package dev.counterpoint.gateway.problem;

import org.jspecify.annotations.NullMarked;
