import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { apiKey, model, url, weather } from '../scenario.mjs';

const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
const tools = [{ type: 'function', ...weather, strict: true }];
const LAST = ['response.completed', 'response.incomplete', 'response.failed'];

/** One conversation on one WebSocket: each request has only what is new. */
const socket = (stored) => (streaming, getWeather) => {
  const connection = new ResponsesWS(client);
  const events = connection.stream();
  const lane = streaming ? 'a' : undefined;
  let previous;
  const create = async (input) => {
    connection.send({
      type: 'response.create', model, tools, store: stored, input, previous_response_id: previous, stream_id: lane,
    });
    for await (const { type, message, error } of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }) {
      if (type === 'error') throw error;
      if (type === 'close') throw new Error('closed');
      if (type === 'message' && message.stream_id !== lane) throw new Error(`another lane: ${message.stream_id}`);
      if (type === 'message' && LAST.includes(message.type)) {
        previous = message.response.id;
        return message.response;
      }
    }
  };
  return async (question) => {
    let response = await create([{ role: 'user', content: question }]);
    for (let calls = callsOf(response); calls.length > 0; calls = callsOf(response)) {
      response = await create(calls.map((call) => ({
        type: 'function_call_output', call_id: call.call_id, output: getWeather(JSON.parse(call.arguments)),
      })));
    }
    return response.output.flatMap((item) => item.content ?? []).map((part) => part.text ?? '').join('');
  };
};

const callsOf = (response) => response.output.filter((item) => item.type === 'function_call');

export default {
  'openai, WebSocket': socket(true),
  'openai, WebSocket, responses that are not stored': socket(false),
};
