import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, OpenAIResponsesWSModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { apiKey, model, url, weather } from '../scenario.mjs';

setTracingDisabled(true);
const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 0 });

const conversation = (Model) => (streaming, getWeather) => {
  const agent = new Agent({
    name: 'weather',
    model: new Model(client, model),
    tools: [
      tool({
        name: weather.name,
        description: weather.description,
        parameters: z.object({ city: z.string() }),
        execute: async (input) => getWeather(input),
      }),
    ],
  });
  let history = [];
  return async (question) => {
    const result = await run(agent, [...history, { role: 'user', content: question }], { stream: streaming });
    if (streaming) {
      for await (const _ of result.toTextStream());
      await result.completed;
    }
    history = result.history;
    return result.finalOutput;
  };
};

export default {
  '@openai/agents, responses': conversation(OpenAIResponsesModel),
  '@openai/agents, WebSocket': conversation(OpenAIResponsesWSModel),
  '@openai/agents, chat': conversation(OpenAIChatCompletionsModel),
};
