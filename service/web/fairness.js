// Checks shoes as docs/fairness.md describes: written from that page, not from the service's code.
//
// Runs in a browser and in Node 20 or later. A shoe is what `GET /v1/tables/{table}/shoes/{shoe}`
// answers under `shoe`: seeds, salts and hashes in lower-case hex, cards as two letters (`TS`),
// positions from 0. Internally, bytes are Uint8Array.
//
// Compare the commitment and the root with those that you saw before the first card, in the table
// or in its journal: an answer that invents all of them is consistent, too.

import { hmac, joined, sha256, writeWord } from "./sha256.js";

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const WORD_VALUES = 65536;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const UTF8 = new TextEncoder();

const SHUFFLE = UTF8.encode("croupier shuffle 1");
const SALT = UTF8.encode("croupier salt 1");
const CARD = UTF8.encode("croupier card 1");
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

// A published value that does not have the required form.
class Malformed extends Error {}

// Checks a shoe as far as possible and returns { ok, revealed, faults }; `faults` has one sentence
// for each fault and is empty if there is none. While the seed is secret, the proof of each card
// that was turned up is checked; once it is revealed, also the commitment, the whole order and the
// root.
export function verifyShoe(shoe) {
    const revealed = Boolean(shoe.seed);
    const faults = collected((found) => {
        shoe.cards.forEach((card) => found.push(...verifyCard(shoe, card).faults));
        if (revealed) found.push(...againstSeed(shoe));
    });
    return { ok: faults.length === 0, revealed, faults };
}

// Checks the proof that a card { position, card, salt, path } was at its position when the root of
// the shoe was published; needs { tableId, number, decks, root } of the shoe. Returns { ok, faults
// }.
export function verifyCard({ tableId, number, decks, root }, { position, card, salt, path }) {
    const faults = collected((found) => {
        const leaf = leafOf(tableId, number, position, card, bytesOf(salt, 16, "the salt"));
        const steps = path.map((step) => bytesOf(step, 32, "a step of the path"));
        const reached = rootFrom(leaf, position, cardsIn(decks), steps);
        if (reached === undefined) {
            found.push(`no path of ${path.length} steps leads from position ${position} to the root`);
        } else if (toHex(reached) !== root) {
            found.push(`position ${position} is not proved to have ${card}`);
        }
    });
    return { ok: faults.length === 0, faults };
}

function againstSeed({ tableId, number, decks, commitment, clientSeeds, root, cards, seed }) {
    const faults = [];
    const seedBytes = bytesOf(seed, 32, "the seed");
    if (commitmentTo(seedBytes) !== commitment) {
        faults.push("the seed is not the one that was committed to");
    }
    if (clientSeeds.some(({ seat }, i) => i > 0 && seat <= clientSeeds[i - 1].seat)) {
        faults.push("the players' seeds are not in the order of their seats");
    }
    const order = shuffled(keyOf(seedBytes, tableId, number, clientSeeds), decks);
    const salts = order.map((_, position) => saltOf(seedBytes, tableId, number, position));
    const tree = treeOf(
        order.map((card, position) => leafOf(tableId, number, position, card, salts[position])),
    );
    if (toHex(rootOf(tree)) !== root) faults.push("the root is not that of the seed's shoe");
    for (const { position, card } of cards) {
        if (card !== order[position]) {
            faults.push(`position ${position} has ${order[position]} by the seed, not ${card}`);
        }
    }
    return faults;
}

// The faults that a check finds; a value that can't be read is a fault, too.
function collected(check) {
    const faults = [];
    try {
        check(faults);
    } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        faults.push(error.message);
    }
    return faults;
}

// Commitment: the SHA-256 of the seed, in hex.
export function commitmentTo(seed) {
    return toHex(sha256(seed));
}

// Framing: each part after its length; text as UTF-8, a number in four bytes.
export function framed(...parts) {
    const all = parts.map(asBytes);
    const message = new Uint8Array(all.reduce((length, bytes) => length + 4 + bytes.length, 0));
    let at = 0;
    for (const bytes of all) {
        writeWord(message, at, bytes.length);
        for (let i = 0; i < bytes.length; i++) message[at + 4 + i] = bytes[i];
        at += 4 + bytes.length;
    }
    return message;
}

// Key: from the server's seed, the name of the shoe and the players' seeds.
export function keyOf(seed, tableId, number, clientSeeds) {
    const given = clientSeeds.flatMap((one) => [one.seat, one.playerId, one.seed]);
    return hmac(seed, framed(SHUFFLE, tableId, number, ...given));
}

// Keystream: an endless sequence of two-byte words.
export function* keystream(key) {
    for (let block = 0; ; block++) {
        const bytes = sha256(joined(key, numberBytes(0), numberBytes(block)));
        for (let i = 0; i < bytes.length; i += 2) yield (bytes[i] << 8) | bytes[i + 1];
    }
}

// Shuffle: the cards of a shoe in the order in which they are dealt.
export function shuffled(key, decks) {
    const cards = packs(decks);
    const words = keystream(key);
    for (let place = 0; place < cards.length; place++) {
        const left = cards.length - place;
        const limit = WORD_VALUES - (WORD_VALUES % left);
        let word;
        do word = words.next().value;
        while (word >= limit);
        const other = place + (word % left);
        [cards[place], cards[other]] = [cards[other], cards[place]];
    }
    return cards;
}

function packs(decks) {
    const pack = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
    return Array.from({ length: cardsIn(decks) }, (_, place) => pack[place % pack.length]);
}

function cardsIn(decks) {
    if (Number.isInteger(decks) && decks >= 1 && decks <= 8) {
        return decks * RANKS.length * SUITS.length;
    }
    throw new Malformed(`a shoe has 1 to 8 decks, not ${decks}`);
}

// Salt: hides the card of a position in the root until it is turned up.
export function saltOf(seed, tableId, number, position) {
    return hmac(seed, framed(SALT, tableId, number, position)).subarray(0, 16);
}

// Leaf: a card at its position, with its salt.
export function leafOf(tableId, number, position, card, salt) {
    const entry = framed(CARD, tableId, number, position, card, salt);
    return sha256(joined(LEAF, entry));
}

function node(left, right) {
    return sha256(joined(NODE, left, right));
}

// Tree: its levels, from the leaves to the root. Neighbours are paired from the left; a last one
// without a neighbour moves up unchanged.
export function treeOf(leaves) {
    const levels = [leaves];
    while (levels.at(-1).length > 1) {
        const below = levels.at(-1);
        const above = [];
        for (let i = 0; i < below.length; i += 2) {
            above.push(i + 1 < below.length ? node(below[i], below[i + 1]) : below[i]);
        }
        levels.push(above);
    }
    return levels;
}

export function rootOf(levels) {
    return levels.at(-1)[0];
}

// Path: the neighbour on each level where there is one, from the leaf up.
export function pathOf(levels, position) {
    return levels.slice(0, -1).flatMap((level, height) => {
        const neighbour = (position >> height) ^ 1;
        return neighbour < level.length ? [level[neighbour]] : [];
    });
}

// The root that a path leads to, from the leaf at a position of `count`; undefined if there is no
// such position, or the path is too short or too long.
export function rootFrom(leaf, position, count, path) {
    if (!(position >= 0 && position < count)) return undefined;
    let reached = leaf;
    let used = 0;
    for (let at = position, width = count; width > 1; at >>= 1, width = (width + 1) >> 1) {
        if ((at ^ 1) >= width) continue;
        if (used === path.length) return undefined;
        const neighbour = path[used++];
        reached = at & 1 ? node(neighbour, reached) : node(reached, neighbour);
    }
    return used === path.length ? reached : undefined;
}

function asBytes(part) {
    if (part instanceof Uint8Array) return part;
    if (typeof part === "number") return numberBytes(part);
    // A lone surrogate has no UTF-8 form: encoding it as another character would make two texts
    // equal.
    if (typeof part === "string" && part.isWellFormed()) return UTF8.encode(part);
    throw new Malformed(`${JSON.stringify(part)} is neither text nor a number`);
}

function numberBytes(number) {
    if (!(Number.isInteger(number) && number >= 0 && number < 2 ** 32)) {
        throw new Malformed(`${number} does not fit into four bytes`);
    }
    const bytes = new Uint8Array(4);
    writeWord(bytes, 0, number);
    return bytes;
}

// The bytes of hex digits; there must be exactly `size` of them.
export function bytesOf(hex, size, name) {
    if (typeof hex !== "string" || !/^(?:[0-9a-f]{2})*$/.test(hex) || hex.length !== 2 * size) {
        throw new Malformed(`${name} is not ${2 * size} hex digits`);
    }
    return Uint8Array.from({ length: size }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

export function toHex(bytes) {
    let hex = "";
    for (const byte of bytes) hex += HEX[byte];
    return hex;
}
