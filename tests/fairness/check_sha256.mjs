// Holds service/web/sha256.js against Node's own SHA-256 and HMAC, and against `crypto.subtle`, which a
// browser has: messages and keys of every length up to some blocks. Argument: its path.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { pathToFileURL } from "node:url";

const { sha256, hmac } = await import(pathToFileURL(process.argv[2]));

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (length) => Uint8Array.from({ length }, (_, i) => (i * 151 + length) & 0xff);

assert.equal(
    hex(sha256(new TextEncoder().encode("abc"))),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
);
for (let length = 0; length <= 300; length++) {
    const message = bytes(length);
    const key = bytes(length % 130);
    assert.equal(hex(sha256(message)), createHash("sha256").update(message).digest("hex"));
    assert.equal(hex(hmac(key, message)), createHmac("sha256", key).update(message).digest("hex"));
    assert.equal(hex(sha256(message)), hex(await crypto.subtle.digest("SHA-256", message)));
}
const long = bytes(1_000_003);
assert.equal(hex(sha256(long)), createHash("sha256").update(long).digest("hex"));
process.stdout.write("equal");
