import { createOpenResponses } from '@ai-sdk/open-responses';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { z } from 'zod';
import { apiKey, model, url, weather } from '../scenario.mjs';

const openai = createOpenAI({ baseURL: url, apiKey });
const STEPS_MAX = 4;

const conversation = (languageModel) => (streaming, getWeather) => {
  const messages = [];
  const tools = {
    [weather.name]: tool({
      description: weather.description,
      inputSchema: z.object({ city: z.string() }),
      execute: async (input) => getWeather(input),
    }),
  };
  return async (question) => {
    messages.push({ role: 'user', content: question });
    const request = { model: languageModel, messages, tools, stopWhen: isStepCount(STEPS_MAX), maxRetries: 0 };
    let failure;
    const result = streaming ? streamText({ ...request, onError: ({ error }) => (failure = error) }) : await generateText(request);
    if (streaming) {
      for await (const _ of result.textStream);
      if (failure) throw failure;
    }
    messages.push(...(await result.responseMessages));
    return result.text;
  };
};

export default {
  'ai + @ai-sdk/openai, responses': conversation(openai.responses(model)),
  'ai + @ai-sdk/openai, chat': conversation(openai.chat(model)),
  'ai + @ai-sdk/open-responses': conversation(
    createOpenResponses({ name: 'counterpoint', url: `${url}/responses`, apiKey })(model),
  ),
  'ai + @ai-sdk/openai-compatible': conversation(
    createOpenAICompatible({ name: 'counterpoint', baseURL: url, apiKey })(model),
  ),
  'ai + @openrouter/ai-sdk-provider': conversation(createOpenRouter({ baseURL: url, apiKey }).chat(model)),
};
