// A résumé's fields, read from a PDF and shown as they stream: run resume [--github] [FILE.pdf]
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { parse } from 'partial-json';
import { extractText } from 'unpdf';
import { z } from 'zod';
import { checked, scripted } from './stand_in.mjs';

const Resume = z.object({
  name: z.string(),
  title: z.string(),
  location: z.string(),
  email: z.string(),
  phone: z.string(),
  experience: z.array(z.object({ company: z.string(), role: z.string(), years: z.string() })).max(5), // a small model may not end by itself
  skills: z.array(z.string()).max(10),
});
const ResumeWithGithub = Resume.extend({ github_username: z.string() }); // one more field is one more line

const { values: flags, positionals } = parseArgs({ options: { github: { type: 'boolean' } }, allowPositionals: true });
const example = new URL('resume.pdf', import.meta.url);
const schema = flags.github ? ResumeWithGithub : Resume;

// The PDF stays here: only its text goes to the model.
const pdf = new Uint8Array(await readFile(positionals[0] ?? example));
const { text } = await extractText(pdf);
const script = `say: ${JSON.stringify({
  name: 'Greg Carlson',
  title: 'ML Engineer',
  location: 'San Francisco',
  email: 'greg.carlson@example.com',
  phone: '',
  experience: [],
  skills: [],
  ...(flags.github && { github_username: 'gregcarlson' }),
})}`;

const client = new OpenAI({ baseURL: `${process.env.COUNTERPOINT_URL}/v1`, apiKey: process.env.COUNTERPOINT_API_KEY });
const stream = client.responses.stream({
  model: process.env.COUNTERPOINT_MODEL,
  instructions: 'Extract the fields from the résumé. Copy what it says; leave a text empty where it says nothing.',
  input: scripted(text.join('\n'), script),
  text: { format: zodTextFormat(schema, 'resume') },
});

// What has come of the JSON is always the beginning of a valid object. So the fields can be shown while they grow.
const lines = (value, name) =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => lines(part, name ? `${name}.${key}` : key))
    : [`${name}: ${value}`];
let shown = '';
stream.on('response.output_text.delta', ({ snapshot }) => {
  const fields = lines(parse(snapshot)).join('\n');
  process.stdout.write(fields.slice(shown.length));
  shown = fields;
});

const resume = (await stream.finalResponse()).output_parsed; // throws where the answer is not what the schema says
console.log();
assert.ok(resume, 'the model gave no answer');
if (checked && !positionals[0]) {
  assert.equal(resume.name, 'Greg Carlson');
  assert.equal(resume.email, 'greg.carlson@example.com');
  if (flags.github) assert.equal(resume.github_username, 'gregcarlson');
}
console.log(`Right: ${Object.keys(resume).length} fields, as the schema has them.`);
