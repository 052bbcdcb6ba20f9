// Prints one line a check, and sees to it that a script ends within a minute: 0 if all went well, 1 if not.

const LIMIT_MS = 60_000;
let failures = 0;

setTimeout(() => {
  console.log(`FAIL not done after ${LIMIT_MS / 1000} s`);
  process.exit(1);
}, LIMIT_MS).unref();

/** Runs one check; what it returns is said after its name, what it throws fails it. Gives whether it went well. */
export async function check(name, body) {
  try {
    const said = await body();
    console.log(said === undefined ? `ok   ${name}` : `ok   ${name}: ${said}`);
    return true;
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}: ${error.message ?? error}`);
    return false;
  }
}

export function expect(condition, message) {
  if (!condition) throw new Error(message);
}

export function done(client) {
  console.log(failures === 0 ? `${client}: all ok` : `${client}: ${failures} failed`);
  process.exit(failures === 0 ? 0 : 1);
}
