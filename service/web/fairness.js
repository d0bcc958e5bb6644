// Checks fair shoes as docs/fairness.md describes them: written from that page, not from the service.
//
// Runs in a browser and in Node 20 or later. Seeds, salts and hashes are lower-case hex as the API
// gives them, cards two letters (`TD`), places count from 0; inside, bytes are Uint8Array.
//
//   verifyShoe   holds a revealed shoe against what was published before and while it was dealt
//   verifyCard   proves one card that was turned up of a shoe that is still in play
//
// Both return { ok, faults }: what is wrong in plain words, nothing if all is well.

import { hmac, joined, sha256 } from "./sha256.js";

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const WORD_VALUES = 65536;

// What was published can't be read as what it should be.
class Malformed extends Error {}

// Holds a revealed shoe against its commitment, its root and the cards that were dealt from it.
// `clientSeeds` are { seat, player, seed } as mixed in, `cards` those turned up: { position, card,
// salt, path }, the path only where one was asked for.
export function verifyShoe({
    tableId, shoe, decks, commitment, root, seed, clientSeeds = [], cards = [],
}) {
    return faultsOf((faults) => {
        const seedBytes = bytesOf(seed, 32, "the seed");
        if (commitmentTo(seedBytes) !== commitment) {
            faults.push("the seed is not the one that was committed to");
        }
        if (clientSeeds.some(({ seat }, i) => i > 0 && seat <= clientSeeds[i - 1].seat)) {
            faults.push("the players' seeds are not in the order of their seats");
        }
        const order = shuffled(keyOf(seedBytes, tableId, shoe, clientSeeds), decks);
        const salts = order.map((_, position) => saltOf(seedBytes, tableId, shoe, position));
        const tree = treeOf(
            order.map((card, position) => leafOf(tableId, shoe, position, card, salts[position])),
        );
        if (toHex(rootOf(tree)) !== root) faults.push("the root is not that of this shoe");
        for (const { position, card, salt, path } of cards) {
            if (!(Number.isInteger(position) && position in order)) {
                faults.push(`the shoe has no place ${position}`);
                continue;
            }
            if (card !== order[position]) {
                faults.push(`place ${position} holds ${order[position]}, not ${card}`);
            }
            if (salt !== toHex(salts[position])) {
                faults.push(`the salt of place ${position} is another`);
            }
            if (path !== undefined && path.join() !== pathOf(tree, position).map(toHex).join()) {
                faults.push(`the path of place ${position} is another`);
            }
        }
    });
}

// Proves that a card which was turned up lay at its place when the root was published; `count` is
// the number of cards in the whole shoe.
export function verifyCard({ tableId, shoe, count, root, position, card, salt, path }) {
    return faultsOf((faults) => {
        const leaf = leafOf(tableId, shoe, position, card, bytesOf(salt, 16, "the salt"));
        const neighbours = path.map((step) => bytesOf(step, 32, "a step of the path"));
        const reached = rootFrom(leaf, position, count, neighbours);
        if (reached === undefined) {
            faults.push(`no path of ${path.length} steps leads from place ${position} to a root`);
        } else if (toHex(reached) !== root) {
            faults.push(`the root has no ${card} with this salt at place ${position}`);
        }
    });
}

function faultsOf(check) {
    const faults = [];
    try {
        check(faults);
    } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        faults.push(error.message);
    }
    return { ok: faults.length === 0, faults };
}

// Commitment: the SHA-256 of the seed, in hex.
export function commitmentTo(seed) {
    return toHex(sha256(seed));
}

// Framing: each part behind its length; text as UTF-8, a number in four bytes.
export function framed(...parts) {
    return joined(...parts.map(asBytes).flatMap((bytes) => [numberBytes(bytes.length), bytes]));
}

// Key: of the server's seed over what names the shoe and what players gave.
export function keyOf(seed, tableId, shoe, clientSeeds) {
    const given = clientSeeds.flatMap((one) => [one.seat, one.player, one.seed]);
    return hmac(seed, framed("croupier shuffle 1", tableId, shoe, ...given));
}

// Keystream: words of two bytes, without end.
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
    if (!(Number.isInteger(decks) && decks >= 1 && decks <= 8)) {
        throw new Malformed(`a shoe has 1 to 8 packs, not ${decks}`);
    }
    const pack = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
    return Array.from({ length: decks }, () => pack).flat();
}

// Salt: what hides the card of a place in the root until it is turned up.
export function saltOf(seed, tableId, shoe, position) {
    return hmac(seed, framed("croupier salt 1", tableId, shoe, position)).subarray(0, 16);
}

// Leaf: a card at its place, with its salt.
export function leafOf(tableId, shoe, position, card, salt) {
    const entry = framed("croupier card 1", tableId, shoe, position, card, salt);
    return sha256(joined(Uint8Array.of(0), entry));
}

function node(left, right) {
    return sha256(joined(Uint8Array.of(1), left, right));
}

// Tree: its levels from the leaves up to the root alone. Neighbours are paired from the left; a
// last one without a neighbour goes up as it is.
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

// The root that a path leads to from the leaf at a place among so many; undefined if there is no
// such place, or the path is too short or too long.
export function rootFrom(leaf, position, count, path) {
    if (!(Number.isInteger(position) && position >= 0 && position < count)) return undefined;
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
    // A lone surrogate has no UTF-8: encoded as another character, two texts would be one.
    if (typeof part === "string" && part.isWellFormed()) return new TextEncoder().encode(part);
    throw new Malformed(`${JSON.stringify(part)} is neither a text nor a number`);
}

function numberBytes(number) {
    if (!(Number.isInteger(number) && number >= 0 && number < 2 ** 32)) {
        throw new Malformed(`${number} is no number of four bytes`);
    }
    return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

// The bytes that hex digits stand for, of which there must be so many.
export function bytesOf(hex, size, name) {
    if (typeof hex !== "string" || !/^(?:[0-9a-f]{2})*$/.test(hex) || hex.length !== 2 * size) {
        throw new Malformed(`${name} is not ${2 * size} hex digits`);
    }
    return Uint8Array.from({ length: size }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

export function toHex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
