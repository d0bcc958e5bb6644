// SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104) of byte arrays, at once and without a promise.
//
// A browser's `crypto.subtle` exists in secure contexts only and answers each of the thousand small
// hashes of a shoe with a promise, which takes many times as long as the hash. Nothing here is
// secret: these functions check what was published, so they need not resist timing.

// The fractional parts of the cube roots of the first 64 primes.
const ROUND = new Int32Array([
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

// The fractional parts of the square roots of the first eight primes.
const START = new Int32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const BLOCK = 64;

// Kept between calls: making an array costs as much as half a block.
const state = new Int32Array(8);
const schedule = new Int32Array(BLOCK);
const tail = new Uint8Array(2 * BLOCK);

// Mixes the block of 64 bytes at `offset` into `state`.
function compress(bytes, offset) {
    for (let i = 0; i < 16; i++) {
        const at = offset + 4 * i;
        schedule[i] =
            (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < BLOCK; i++) {
        const x = schedule[i - 15];
        const y = schedule[i - 2];
        const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        schedule[i] = (schedule[i - 16] + low + schedule[i - 7] + high) | 0;
    }
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let i = 0; i < BLOCK; i++) {
        const up = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const first = (h + up + ((e & f) ^ (~e & g)) + ROUND[i] + schedule[i]) | 0;
        const down = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const second = (down + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + first) | 0;
        d = c;
        c = b;
        b = a;
        a = (first + second) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

// The SHA-256 of a byte array: 32 bytes.
export function sha256(message) {
    const whole = message.length - (message.length % BLOCK);
    state.set(START);
    for (let offset = 0; offset < whole; offset += BLOCK) compress(message, offset);

    const rest = message.length - whole;
    const end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    tail.fill(0);
    for (let i = 0; i < rest; i++) tail[i] = message[whole + i];
    tail[rest] = 0x80;
    writeWord(tail, end - 8, message.length / 2 ** 29);
    writeWord(tail, end - 4, message.length << 3);
    for (let offset = 0; offset < end; offset += BLOCK) compress(tail, offset);

    const digest = new Uint8Array(32);
    for (let i = 0; i < 8; i++) writeWord(digest, 4 * i, state[i]);
    return digest;
}

// Puts a number of four bytes, big-endian, at a place of a byte array.
export function writeWord(bytes, offset, word) {
    bytes[offset] = word >>> 24;
    bytes[offset + 1] = word >>> 16;
    bytes[offset + 2] = word >>> 8;
    bytes[offset + 3] = word;
}

// The HMAC-SHA-256 of a byte array under a key: 32 bytes.
export function hmac(key, message) {
    const short = key.length > BLOCK ? sha256(key) : key;
    const inner = joined(masked(short, 0x36), message);
    return sha256(joined(masked(short, 0x5c), sha256(inner)));
}

// A key filled up to a block, each byte combined with the mask.
function masked(key, mask) {
    const block = new Uint8Array(BLOCK).fill(mask);
    for (let i = 0; i < key.length; i++) block[i] ^= key[i];
    return block;
}

// The byte arrays one after the other.
export function joined(...parts) {
    let length = 0;
    for (const part of parts) length += part.length;
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        for (let i = 0; i < part.length; i++) whole[at++] = part[i];
    }
    return whole;
}
