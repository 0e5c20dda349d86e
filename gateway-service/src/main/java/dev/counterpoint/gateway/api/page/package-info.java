/// The pages at `/` and `/console`: files that `web/build` made, from the JAR.
@NullMarked
package dev.counterpoint.gateway.api.page;

import org.jspecify.annotations.NullMarked;
