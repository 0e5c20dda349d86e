// A user interface that the model puts together from a recursive schema, drawn as a page: run generated_ui [PAGE.html]
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import OpenAI from 'openai';
import { zodResponsesFunction } from 'openai/helpers/zod';
import { z } from 'zod';
import { scripted } from './stand_in.mjs';

const candidates = [
  { name: 'Amara Okafor', location: 'San Francisco', years_of_experience: 12 },
  { name: 'Greg Carlson', location: 'San Francisco', years_of_experience: 7 },
  { name: 'Lin Wei', location: 'New York', years_of_experience: 9 },
  { name: 'Sofia Rossi', location: 'Austin', years_of_experience: 4 },
];
const Field = z.enum(['name', 'location', 'years_of_experience']);

// Each component has a name, under which the schema defines it once ("definitions", the older word for "$defs").
// A card's children are components again. The model chooses fields; the page has the values from the candidates.
const Card = z.object({
  type: z.literal('card'),
  get children() { return z.array(Component); },
}).meta({ id: 'card' });
const Header = z.object({ type: z.literal('header'), text: z.string() }).meta({ id: 'header' });
const BarChart = z.object({ type: z.literal('bar_chart'), value: z.literal('years_of_experience') }).meta({ id: 'bar_chart' });
const Table = z.object({ type: z.literal('table'), columns: z.array(Field).min(1) }).meta({ id: 'table' });
const Component = z.union([Card, Header, BarChart, Table]).meta({ id: 'component' });
const generateUi = zodResponsesFunction({
  name: 'generate_ui',
  description: 'Shows the user an interface about the candidates.',
  parameters: z.object({ component: Component }),
});

const example = {
  component: {
    type: 'card',
    children: [
      { type: 'header', text: 'Candidates by experience' },
      { type: 'bar_chart', value: 'years_of_experience' },
      { type: 'table', columns: ['name', 'years_of_experience'] },
    ],
  },
};
const client = new OpenAI({ baseURL: `${process.env.COUNTERPOINT_URL}/v1`, apiKey: process.env.COUNTERPOINT_API_KEY });
const response = await client.responses.parse({
  model: process.env.COUNTERPOINT_MODEL,
  input: scripted(
    'Chart the candidates by years of experience, with the header "Candidates by experience", a bar chart and a table.',
    `call: generate_ui ${JSON.stringify(example)}`,
  ),
  tools: [generateUi],
  tool_choice: { type: 'function', name: 'generate_ui' },
  max_output_tokens: 4000, // a recursive schema sets no end
});
const call = response.output.find((item) => item.type === 'function_call');
console.log(call.name, call.arguments);
const { component } = call.parsed_arguments; // zod has checked it, at any depth

const escape = (value) => String(value).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const most = Math.max(...candidates.map((candidate) => candidate.years_of_experience));
const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>\n`;
const bar = (label, value) =>
  `<p><span>${escape(label)}</span><b style="width:${(100 * value) / most}%">${escape(value)}</b></p>\n`;
const draw = {
  card: ({ children }) => `<section>\n${children.map(html).join('')}</section>\n`,
  header: ({ text }) => `<h2>${escape(text)}</h2>\n`,
  bar_chart: ({ value }) => `<div>\n${candidates.map((one) => bar(one.name, one[value])).join('')}</div>\n`,
  table: ({ columns }) =>
    `<table>\n${row(columns, 'th')}${
      candidates.map((one) => row(columns.map((column) => one[column]), 'td')).join('')}</table>\n`,
};
const html = (part) => draw[part.type](part);
const style = `body { font: 16px sans-serif; max-width: 40em; margin: 2em auto }
section { border: 1px solid #ccc; border-radius: 8px; padding: 0 1em; margin: 1em 0 }
p { display: grid; grid-template-columns: 9em 1fr }
b { background: #3a6; color: #fff; padding: 2px 6px; box-sizing: border-box }
td, th { text-align: left; padding: 4px 16px 4px 0 }`;
const page = resolve(process.argv[2] ?? fileURLToPath(new URL('target/generated_ui.html', import.meta.url)));
await mkdir(dirname(page), { recursive: true });
await writeFile(page, `<!doctype html>
<meta charset="utf-8">
<title>Candidates</title>
<style>${style}</style>
${html(component)}`);
console.log(`The page: ${pathToFileURL(page)}`);
