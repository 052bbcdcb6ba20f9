// Says what the conformance suite wrote to its files in a few lines:
//   node conformance-report.mjs DIRECTORY [LOG]
// With LOG, what a run with --requirements printed: how many of the checks that count have passed.

import { globSync, readFileSync } from 'node:fs';

const [directory, log] = process.argv.slice(2);
const uncounted = new Set();
if (log) {
  const lines = readFileSync(log, 'utf8').split('\n');
  const matches = (pattern) => lines.map((line) => pattern.exec(line)).filter(Boolean);
  matches(/^ +[✓✗] (\S+) \((extension|pending|added-after-release)\)/).forEach(([, name]) => uncounted.add(name));
  const counted = matches(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/).filter(([, name]) => !uncounted.has(name));
  const sum = (index) => counted.reduce((total, match) => total + Number(match[index]), 0);
  const failing = counted.filter((match) => match[3] !== '0').length;
  console.log(
    `${counted.length - failing} of ${counted.length} required scenarios passed, ` +
      `${sum(2)} of ${sum(2) + sum(3)} checks`,
  );
}

for (const file of globSync(`${directory}/*/checks.json`).sort()) {
  const scenario = /([^/]+)\/checks\.json$/.exec(file)[1].replace(/^server-|-\d{4}-\d{2}-\d{2}T.*$/g, '');
  if (uncounted.has(scenario)) continue;
  for (const { status, id, errorMessage } of JSON.parse(readFileSync(file, 'utf8'))) {
    if (status !== 'FAILURE' && status !== 'WARNING') continue;
    const reason = (errorMessage ?? '').replace(/\s+/g, ' ').slice(0, 300);
    console.log(`     ${status.toLowerCase()} ${scenario} ${id}: ${reason}`);
  }
}
