/// Conversations that the server keeps: the API's endpoints for them.
@NullMarked
package dev.counterpoint.gateway.api.conversations;

import org.jspecify.annotations.NullMarked;
