// A tool round trip and a second turn with the official package: Responses, then Chat Completions.
import OpenAI from 'openai';
import { checked, scripted } from './stand_in.mjs';

const model = process.env.COUNTERPOINT_MODEL;
const client = new OpenAI({
  baseURL: `${process.env.COUNTERPOINT_URL}/v1`,
  apiKey: process.env.COUNTERPOINT_API_KEY,
});
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const question = scripted('What is the weather in Paris?', 'call: get_weather {"city": "Paris"}');
const getWeather = ({ city }) => JSON.stringify({ city, temperature_celsius: 21, sky: 'sunny' });

console.log('== Responses');
const tools = [{ type: 'function', name: 'get_weather', description: 'Current weather of a city', parameters, strict: true }];
// Small models need to be told that the tool comes first.
const first = await client.responses.create({ model, input: question, tools, tool_choice: 'required' });
const call = first.output.find((item) => item.type === 'function_call');
console.log('the model calls:', call.name, call.arguments);

const stream = client.responses.stream({
  model,
  tools,
  previous_response_id: first.id,
  input: [{ type: 'function_call_output', call_id: call.call_id, output: getWeather(JSON.parse(call.arguments)) }],
});
stream.on('response.output_text.delta', ({ delta }) => process.stdout.write(delta));
const answer = await stream.finalResponse();
console.log();

const second = await client.responses.create({ model, previous_response_id: answer.id, input: 'How many letters are in Paris?' });
console.log('second turn:', second.output_text);

console.log('== Chat Completions');
const chatTools = [
  { type: 'function', function: { name: 'get_weather', description: 'Current weather of a city', parameters, strict: true } },
];
const messages = [{ role: 'user', content: question }];
const turn = await client.chat.completions.create({ model, messages, tools: chatTools, tool_choice: 'required' });
const message = turn.choices[0].message;
const chatCall = message.tool_calls[0];
console.log('the model calls:', chatCall.function.name, chatCall.function.arguments);
messages.push(message, {
  role: 'tool',
  tool_call_id: chatCall.id,
  content: getWeather(JSON.parse(chatCall.function.arguments)),
});
let text = '';
for await (const chunk of await client.chat.completions.create({ model, messages, tools: chatTools, stream: true })) {
  const delta = chunk.choices[0]?.delta?.content ?? '';
  text += delta;
  process.stdout.write(delta);
}
console.log();
if (checked && !(answer.output_text.includes('21') && text.includes('21'))) {
  throw new Error('an answer does not use the result of the tool');
}
