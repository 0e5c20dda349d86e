/// Chat completions that were stored: the API's endpoints for them.
@NullMarked
package dev.counterpoint.gateway.api.completions;

import org.jspecify.annotations.NullMarked;
