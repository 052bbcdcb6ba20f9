// What every client written in JavaScript does with the server. A client is an object with
//   connect(), returns the protocol version;  tools();  call(name, arguments, {signal, onprogress});
//   resources();  templates();  read(uri);  close()

import { randomUUID } from 'node:crypto';
import { check, done, expect } from './checks.mjs';

const TOOLS = [
  'execute_python_code',
  'start_python_session',
  'list_python_sessions',
  'stop_python_session',
  'interrupt_python_session',
  'restart_python_session',
];
const LINK = /^runstone:\/\/executions\/[0-9a-f-]+\/outputs\/[0-9]+$/;
const BIG = 300_000;
const PICTURE = `
import base64
class Dot:
    def _repr_png_(self):
        return base64.b64decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
Dot()
`;

/**
 * Runs all checks and ends the process.
 *
 * @param version the protocol version that this client has to arrive at
 * @param cancelMs how long after a cancellation the session may take to be free
 */
export async function scenario(name, client, { version, cancelMs }) {
  console.log(`--- ${name}`);
  const session = `interop-${randomUUID().slice(0, 8)}`;
  const run = (command, options) =>
    client.call('execute_python_code', { session_id: session, command }, options);
  const within = (ms) => ({ signal: AbortSignal.timeout(ms) });

  let negotiated;
  await check('connect', async () => {
    negotiated = await client.connect();
    expect(negotiated === version, `protocol ${negotiated}, not ${version}`);
    return `protocol ${negotiated}`;
  });
  if (negotiated === undefined) done(name);

  await check('list tools', async () => {
    const listed = (await client.tools()).map((tool) => tool.name);
    const missing = TOOLS.filter((tool) => !listed.includes(tool));
    expect(missing.length === 0, `missing: ${missing}`);
    return `${listed.length}, with the six of Python`;
  });

  const started = await check('start a session', async () => {
    const result = await client.call('start_python_session', { session_id: session });
    expect(result.structuredContent?.session_id === session, JSON.stringify(result));
    expect(result.structuredContent.status === 'active', JSON.stringify(result));
  });
  if (!started) done(name);

  await check('live output as progress', async () => {
    const seen = [];
    const onprogress = (progress) => seen.push({ at: Date.now(), text: progress.message ?? '' });
    const result = await run(
      'import time\nfor i in range(3):\n    print("tick", i, flush=True)\n    time.sleep(1)',
      { onprogress },
    );
    const ended = Date.now();
    expect(result.structuredContent?.stdout === 'tick 0\ntick 1\ntick 2\n', JSON.stringify(result));
    const live = seen.filter((progress) => progress.text.includes('tick'));
    expect(live.length > 0, `${seen.length} notifications, none with the output`);
    const ahead = ended - live[0].at;
    expect(ahead > 1500, `the first came only ${ahead} ms before the result`);
    return `${live.length} notifications, the first ${ahead} ms before the result`;
  });

  await check('cancel running code', async () => {
    await run('kept = 42');
    const outcome = await run('while True: pass', within(1000)).then(
      (result) => JSON.stringify(result),
      () => 'aborted',
    );
    expect(outcome === 'aborted', `the call came back: ${outcome}`);
    const since = Date.now();
    const next = await run('print(1 + 1)', within(cancelMs)).catch((error) => {
      throw new Error(`the session was not free ${cancelMs} ms later (${error.message ?? error})`);
    });
    const took = Date.now() - since;
    expect(next.structuredContent?.stdout === '2\n', JSON.stringify(next));
    const kept = await run('kept', within(5000));
    expect(kept.structuredContent?.stdout === '42\n', `a variable from before: ${JSON.stringify(kept)}`);
    return `the session answers ${took} ms later and has its variables`;
  });
  // Whatever came of it: the rest needs a free session.
  await client.call('interrupt_python_session', { session_id: session });

  await check('rich output as an image and as a resource', async () => {
    const result = await run(PICTURE, within(10_000));
    const link = result.structuredContent?.outputs?.[0];
    expect(LINK.test(link?.uri), `no link: ${JSON.stringify(result)}`);
    const image = result.content.find((block) => block.type === 'image');
    expect(image?.mimeType === 'image/png', `no image: ${JSON.stringify(result)}`);
    const [content] = await client.read(link.uri);
    expect(content.mimeType === 'image/png', JSON.stringify(content));
    expect(content.blob === image.data, 'the resource is not the image');
    return link.uri;
  });

  await check('long output cut, and whole as a resource', async () => {
    const result = await run(`print("x" * ${BIG})`, within(10_000));
    const link = result.structuredContent?.outputs?.[0];
    expect(LINK.test(link?.uri), 'no link');
    expect(result.content[0].text.length < BIG, `${result.content[0].text.length} characters shown`);
    const [content] = await client.read(link.uri);
    expect(content.text?.length === BIG + 1, `the resource has ${content.text?.length} characters`);
    return `${result.content[0].text.length} of ${BIG} characters shown`;
  });

  await check('list resources, and read the first of them', async () => {
    const resources = await client.resources();
    for (const resource of resources.slice(0, 3)) {
      expect(resource.uri && resource.name, JSON.stringify(resource));
      expect((await client.read(resource.uri)).length > 0, `${resource.uri} has no contents`);
    }
    return `${resources.length}`;
  });

  await check('list resource templates', async () => {
    const templates = (await client.templates()).map((template) => template.uriTemplate);
    const outputs = templates.some((template) => /^runstone:\/\/executions\/\{.+\}\/outputs\/\{.+\}$/.test(template));
    expect(outputs, `none for outputs: ${templates}`);
    return templates.join(' ');
  });

  await check('a resource that is not there is an error', async () => {
    const outcome = await client.read('runstone://executions/0/outputs/0').then(
      () => 'read',
      (error) => error.code,
    );
    expect(outcome === -32002 || outcome === -32602, `not an error of that kind: ${outcome}`);
    return outcome;
  });

  await check('stop the session', async () => {
    const result = await client.call('stop_python_session', { session_id: session });
    expect(result.structuredContent?.status === 'stopped', JSON.stringify(result));
    const left = await client.call('list_python_sessions', {});
    const ids = left.structuredContent?.result?.map((info) => info.session_id) ?? [];
    expect(!ids.includes(session), `still listed: ${ids}`);
  });

  await check('close', () => client.close());
  done(name);
}
