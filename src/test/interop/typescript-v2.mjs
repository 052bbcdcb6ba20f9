// The TypeScript SDK of the 2.x line, which speaks both eras:
//   node typescript-v2.mjs BASE_URL auto|legacy

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { scenario } from './scenario.mjs';

const [base, mode] = process.argv.slice(2);
const transport = new StreamableHTTPClientTransport(new URL('/mcp', base));
const client = new Client(
  { name: 'interop-typescript-v2', version: '1.0.0' },
  { versionNegotiation: { mode } },
);

await scenario(
  `typescript-v2 ${mode}`,
  {
    async connect() {
      await client.connect(transport);
      return client.getNegotiatedProtocolVersion();
    },
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    async close() {
      await transport.terminateSession?.();
      await client.close();
    },
  },
  // In 2026-07-28 closing the response stream is the cancellation; only a write tells the server of it.
  { version: mode === 'auto' ? '2026-07-28' : '2025-11-25', cancelMs: mode === 'auto' ? 12_000 : 5_000 },
);
