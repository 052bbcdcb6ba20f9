// The TypeScript SDK of the 1.x line, which most of today's clients are built on:
//   node typescript-v1.mjs BASE_URL

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { scenario } from './scenario.mjs';
import { version1 } from './version1.mjs';

const transport = new StreamableHTTPClientTransport(new URL('/mcp', process.argv[2]));
const client = new Client({ name: 'interop-typescript-v1', version: '1.0.0' });
await scenario(
  'typescript-v1',
  version1(client, transport, async () => {
    await transport.terminateSession();
    await client.close();
  }),
  { version: '2025-11-25', cancelMs: 5_000 },
);
