// For node --require: servers that name no host listen on loopback, for tests are nobody else's business.
const net = require("node:net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, host, ...rest) {
  const named = typeof host === "string";
  return /^\d+$/.test(String(port))
    ? listen.call(this, port, named ? host : "127.0.0.1", ...(named || host === undefined ? [] : [host]), ...rest)
    : listen.call(this, port, host, ...rest);
};
