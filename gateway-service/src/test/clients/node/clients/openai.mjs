import OpenAI from 'openai';
import { apiKey, model, url, weather } from '../scenario.mjs';

const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
const tools = [{ type: 'function', ...weather, strict: true }];
const chatTools = [{ type: 'function', function: weather }];

/** Turn by turn: `next` makes of the last response's id or output what the next request begins with. */
const responses = (stored) => (streaming, getWeather) => {
  let before = [];
  let previous;
  const create = async (input) => {
    const request = {
      model,
      tools,
      store: stored,
      include: stored ? [] : ['reasoning.encrypted_content'],
      previous_response_id: stored ? previous : undefined,
      input: stored ? input : [...before, ...input],
    };
    const response = streaming
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    previous = response.id;
    before = [...before, ...input, ...response.output];
    return response;
  };
  return async (question) => {
    let response = await create([{ role: 'user', content: question }]);
    for (let calls = callsOf(response); calls.length > 0; calls = callsOf(response)) {
      response = await create(calls.map((call) => ({
        type: 'function_call_output',
        call_id: call.call_id,
        output: getWeather(JSON.parse(call.arguments)),
      })));
    }
    return response.output_text;
  };
};

const callsOf = (response) => response.output.filter((item) => item.type === 'function_call');

const chat = (streaming, getWeather) => {
  const messages = [];
  const create = async () => {
    const request = { model, messages, tools: chatTools };
    const completion = streaming
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    messages.push(completion.choices[0].message);
    return completion.choices[0].message;
  };
  return async (question) => {
    messages.push({ role: 'user', content: question });
    let message = await create();
    while (message.tool_calls?.length > 0) {
      for (const call of message.tool_calls) {
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: getWeather(JSON.parse(call.function.arguments)),
        });
      }
      message = await create();
    }
    return message.content;
  };
};

export default {
  'openai, responses': responses(true),
  'openai, responses that are not stored': responses(false),
  'openai, chat': chat,
};
