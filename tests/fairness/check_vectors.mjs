// Holds service/web/fairness.js against the published vectors. Arguments: its path, and vectors.json.
// Ends with an AssertionError at the first difference.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, file] = process.argv.slice(2);
const fairness = await import(pathToFileURL(script));
const { bytesOf, toHex } = fairness;

function check({ seed, table_id, shoe, decks, client_seeds, ...expected }) {
    const seedBytes = bytesOf(seed, 32, "the seed");
    assert.equal(fairness.commitmentTo(seedBytes), expected.commitment);
    const given = client_seeds.map((one) => ({ ...one, playerId: one.player }));
    const key = fairness.keyOf(seedBytes, table_id, shoe, given);
    assert.equal(toHex(key), expected.key);
    const words = fairness.keystream(key);
    assert.deepEqual(expected.first_words.map(() => words.next().value), expected.first_words);
    const order = fairness.shuffled(key, decks);
    assert.equal(order.join(" "), expected.order);
    const leaves = order.map((card, place) => {
        const salt = fairness.saltOf(seedBytes, table_id, shoe, place);
        return fairness.leafOf(table_id, shoe, place, card, salt);
    });
    const tree = fairness.treeOf(leaves);
    assert.equal(toHex(fairness.rootOf(tree)), expected.root);
    for (const { position, card, salt, leaf, path } of expected.proofs) {
        assert.equal(order[position], card);
        assert.equal(toHex(fairness.saltOf(seedBytes, table_id, shoe, position)), salt);
        assert.equal(toHex(leaves[position]), leaf);
        assert.deepEqual(fairness.pathOf(tree, position).map(toHex), path);
        const reached = fairness.rootFrom(
            bytesOf(leaf, 32, "the leaf"),
            position,
            order.length,
            path.map((step) => bytesOf(step, 32, "a step")),
        );
        assert.equal(toHex(reached), expected.root);
    }
}

const { vectors } = JSON.parse(readFileSync(file, "utf8"));
vectors.forEach(check);
process.stdout.write(`${vectors.length} vectors hold`);
