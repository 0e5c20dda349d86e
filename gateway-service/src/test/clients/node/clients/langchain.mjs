import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { apiKey, model, url, weather } from '../scenario.mjs';

const conversation = (useResponsesApi) => (streaming, getWeather) => {
  const llm = new ChatOpenAI({ model, apiKey, useResponsesApi, maxRetries: 0, configuration: { baseURL: url } });
  const bound = llm.bindTools([{ type: 'function', function: weather }]);
  const messages = [];
  const next = async () => {
    let message;
    if (streaming) {
      for await (const chunk of await bound.stream(messages)) message = message ? message.concat(chunk) : chunk;
    } else {
      message = await bound.invoke(messages);
    }
    messages.push(message);
    return message;
  };
  return async (question) => {
    messages.push(new HumanMessage(question));
    let message = await next();
    while (message.tool_calls.length > 0) {
      for (const call of message.tool_calls) {
        messages.push(new ToolMessage({ content: getWeather(call.args), tool_call_id: call.id }));
      }
      message = await next();
    }
    return message.text;
  };
};

export default {
  '@langchain/openai, responses': conversation(true),
  '@langchain/openai, chat': conversation(false),
};
