// Parsed answers: each client gets the values that the prompt states.
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { generateObject } from 'ai';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { scripted } from '../../../../../deploy/examples/node/stand_in.mjs';
import { apiKey, model, url } from './scenario.mjs';

const question = 'Book a table.\nname: Ada Lovelace\ncity: Paris\nguests: 3';
const wanted = { name: 'Ada Lovelace', city: 'Paris', guests: 3 };
const prompt = scripted(question, `say: ${JSON.stringify(wanted)}`);
const Booking = z.object({ name: z.string(), city: z.string(), guests: z.number().int() });
const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });
const provider = createOpenAI({ baseURL: url, apiKey });
const messages = [{ role: 'user', content: prompt }];

const ai = (languageModel) => async () =>
  (await generateObject({ model: languageModel, schema: Booking, prompt, maxRetries: 0 })).object;

export default {
  'openai, zod, responses.parse': async () =>
    (await client.responses.parse({ model, input: prompt, text: { format: zodTextFormat(Booking, 'booking') } })).output_parsed,
  'openai, zod, chat.completions.parse': async () => {
    const response_format = zodResponseFormat(Booking, 'booking');
    return (await client.chat.completions.parse({ model, messages, response_format })).choices[0].message.parsed;
  },
  'openai, zod, the arguments of a function': async () => {
    const tools = [zodFunction({ name: 'book_table', parameters: Booking })];
    const content = scripted(question, `call: book_table ${JSON.stringify(wanted)}`);
    const completion = await client.chat.completions.parse({
      model, messages: [{ role: 'user', content }], tools, tool_choice: 'required',
    });
    return completion.choices[0].message.tool_calls[0].function.parsed_arguments;
  },
  'ai + @ai-sdk/openai, generateObject, responses': ai(provider.responses(model)),
  'ai + @ai-sdk/openai, generateObject, chat': ai(provider.chat(model)),
};

export const check = async (ask) => assert.deepEqual({ ...(await ask()) }, wanted);
