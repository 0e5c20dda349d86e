// Plays the scenario with each client and asks each for parsed answers, or those whose names hold a word of the command line.
import { readdirSync } from 'node:fs';
import { play } from './scenario.mjs';
import structured, { check } from './structured.mjs';

const wanted = process.argv.slice(2);
let failed = 0;
const run = async (clients, way) => {
  for (const [name, client] of Object.entries(clients)) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    try {
      await way(client);
      console.log(`passed  ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}`);
      console.error(error);
    }
  }
};
for (const file of readdirSync(new URL('./clients', import.meta.url)).sort()) {
  await run((await import(`./clients/${file}`)).default, play);
}
await run(structured, check);
process.exit(failed > 0 ? 1 : 0);
