// What every client does: a text turn, a tool round trip, and a second turn that makes sense only after the first.
import { checked, scripted } from '../../../../../deploy/examples/node/stand_in.mjs';

export const url = `${process.env.COUNTERPOINT_URL}/v1`;
export const apiKey = process.env.COUNTERPOINT_API_KEY;
export const model = process.env.COUNTERPOINT_MODEL;

export const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

/**
 * @param {(streaming: boolean, getWeather: (args: {city: string}) => string) => (question: string) => Promise<string>} open
 *     begins a conversation; what it returns asks one question, answers the calls of tools, and gives back the last text
 */
export async function play(open) {
  for (const streaming of [false, true]) {
    const cities = [];
    const getWeather = ({ city }) => {
      cities.push(city);
      return JSON.stringify({ city, temperature_celsius: 21, sky: 'sunny' });
    };
    const how = streaming ? 'streaming' : 'whole';
    expect(await open(streaming, getWeather)(scripted('What is 17 plus 25?', 'say: 42')), '42', `${how}, text`);
    const ask = open(streaming, getWeather);
    expect(await ask(scripted('What is the weather in Paris?', call('Paris'))), '21', `${how}, tool`);
    expect(await ask(scripted('And in London?', call('London'))), 'London', `${how}, second turn`);
    expect(cities.join(), 'Paris,London', `${how}, calls`);
  }
}

const call = (city) => `call: get_weather {"city": "${city}"}`;

function expect(text, wanted, what) {
  if (checked ? !String(text).includes(wanted) : !text) {
    throw new Error(`${what}: "${wanted}" is not in ${JSON.stringify(text)}`);
  }
}
