// Plays the scenario with each client, or with those whose names hold a word of the command line.
import { readdirSync } from 'node:fs';
import { play } from './scenario.mjs';

const wanted = process.argv.slice(2);
let failed = 0;
for (const file of readdirSync(new URL('./clients', import.meta.url)).sort()) {
  const clients = (await import(`./clients/${file}`)).default;
  for (const [name, open] of Object.entries(clients)) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    try {
      await play(open);
      console.log(`passed  ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}`);
      console.error(error);
    }
  }
}
process.exit(failed > 0 ? 1 : 0);
