// mcp-remote, the bridge by which clients that only speak stdio reach a server over HTTP:
//   node mcp-remote.mjs BASE_URL

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { scenario } from './scenario.mjs';
import { version1 } from './version1.mjs';

const bridge = join(import.meta.dirname, 'node_modules', 'mcp-remote', 'dist', 'proxy.js');
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [bridge, new URL('/mcp', process.argv[2]).href, '--transport', 'http-only', '--silent'],
  env: { ...process.env, MCP_REMOTE_CONFIG_DIR: join(import.meta.dirname, 'mcp-remote-home') },
});
const client = new Client({ name: 'interop-mcp-remote', version: '1.0.0' });
await scenario('mcp-remote', version1(client, transport, () => client.close()), {
  version: '2025-11-25',
  cancelMs: 5_000,
});
