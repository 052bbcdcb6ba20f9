// The TypeScript SDK 1.x as the scenario wants a client.

export function version1(client, transport, close) {
  let negotiated;
  // The client tells the transport what was negotiated, and nobody else.
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    negotiated = version;
    tell?.(version);
  };
  return {
    async connect() {
      await client.connect(transport);
      return negotiated;
    },
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    close,
  };
}
