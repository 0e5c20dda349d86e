/// Conversations that the server keeps: the API's endpoints for them.
@NullMarked
package dev.counterpoint.gateway.conversations;

import org.jspecify.annotations.NullMarked;
