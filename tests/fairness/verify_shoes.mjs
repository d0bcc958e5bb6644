// Verifies shoes with service/web/fairness.js. Arguments: its path, and a file that holds a JSON list of
// shoes as GetShoe answers them. Prints a JSON list: for each what verifyShoe says and, of a revealed
// one, the SHA-256 over all that is recomputed: order, salts, root and paths of all places.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, file] = process.argv.slice(2);
const fairness = await import(pathToFileURL(script));

function recomputed({ tableId, number, decks, clientSeeds, seed }) {
    const seedBytes = fairness.bytesOf(seed, 32, "the seed");
    const order = fairness.shuffled(
        fairness.keyOf(seedBytes, tableId, number, clientSeeds),
        decks,
    );
    const salts = order.map((_, place) => fairness.saltOf(seedBytes, tableId, number, place));
    const leaves = order.map((card, place) =>
        fairness.leafOf(tableId, number, place, card, salts[place]),
    );
    const tree = fairness.treeOf(leaves);
    const root = fairness.toHex(fairness.rootOf(tree));
    const all = createHash("sha256").update(order.join(" ")).update(root);
    order.forEach((_, place) =>
        all.update(Buffer.concat([salts[place], ...fairness.pathOf(tree, place)])),
    );
    return all.digest("hex");
}

const verdicts = JSON.parse(readFileSync(file, "utf8")).map(({ shoe, recompute }) => ({
    ...fairness.verifyShoe(shoe),
    digest: recompute ? recomputed(shoe) : "",
}));
process.stdout.write(JSON.stringify(verdicts));
